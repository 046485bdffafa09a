package dev.springbench.reactive;

import dev.springbench.common.NoSuchRow;
import dev.springbench.common.RowId;
import dev.springbench.common.User;
import dev.springbench.common.UserPage;
import java.util.List;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;

/** The routes to the database, in non-blocking code. */
@RestController
class UserRoutes {

    private final Users users;

    UserRoutes(Users users) {
        this.users = users;
    }

    @GetMapping(path = "/users/{id}", produces = MediaType.APPLICATION_JSON_VALUE)
    Mono<User> user(@PathVariable String id) {
        return users.find(RowId.parse(id).value()).switchIfEmpty(Mono.error(NoSuchRow::user));
    }

    @GetMapping(path = "/users", produces = MediaType.APPLICATION_JSON_VALUE)
    Mono<List<User>> page(@RequestParam(defaultValue = "0") int after, @RequestParam(defaultValue = "50") int size) {
        return users.page(new UserPage(after, size));
    }
}
