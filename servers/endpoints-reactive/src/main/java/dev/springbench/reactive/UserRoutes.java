package dev.springbench.reactive;

import dev.springbench.common.NoSuchUser;
import dev.springbench.common.User;
import dev.springbench.common.UserId;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;

/** The route to the database, in non-blocking code. */
@RestController
class UserRoutes {

    private final Users users;

    UserRoutes(Users users) {
        this.users = users;
    }

    @GetMapping(path = "/users/{id}", produces = MediaType.APPLICATION_JSON_VALUE)
    Mono<User> user(@PathVariable String id) {
        return users.find(UserId.parse(id).value()).switchIfEmpty(Mono.error(NoSuchUser::new));
    }
}
