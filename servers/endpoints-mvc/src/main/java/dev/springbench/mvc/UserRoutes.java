package dev.springbench.mvc;

import dev.springbench.common.DatabaseFailure;
import dev.springbench.common.NoSuchUser;
import dev.springbench.common.User;
import dev.springbench.common.UserId;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.dao.DataAccessException;
import org.springframework.http.MediaType;
import org.springframework.transaction.TransactionException;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/** The route to the database, in plain blocking code. */
@RestController
class UserRoutes {

    private final Users users;

    UserRoutes(ObjectProvider<Users> users) {
        this.users = users.getIfAvailable(() -> id -> {
            throw DatabaseFailure.switchedOff();
        });
    }

    @GetMapping(path = "/users/{id}", produces = MediaType.APPLICATION_JSON_VALUE)
    User user(@PathVariable String id) {
        int wanted = UserId.parse(id).value();
        try {
            return users.find(wanted).orElseThrow(NoSuchUser::new);
        } catch (DataAccessException | TransactionException failure) {
            throw DatabaseFailure.unusable(failure);
        }
    }
}
