package dev.springbench.mvc;

import dev.springbench.common.DatabaseFailure;
import dev.springbench.common.NoSuchRow;
import dev.springbench.common.RowId;
import dev.springbench.common.User;
import dev.springbench.common.UserPage;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.dao.DataAccessException;
import org.springframework.http.MediaType;
import org.springframework.transaction.TransactionException;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** The routes to the database, in plain blocking code. */
@RestController
class UserRoutes {

    private final Users users;

    UserRoutes(ObjectProvider<Users> users) {
        this.users = users.getIfAvailable(NoUsers::new);
    }

    @GetMapping(path = "/users/{id}", produces = MediaType.APPLICATION_JSON_VALUE)
    User user(@PathVariable String id) {
        int wanted = RowId.parse(id).value();
        return read(() -> users.find(wanted).orElseThrow(NoSuchRow::user));
    }

    @GetMapping(path = "/users", produces = MediaType.APPLICATION_JSON_VALUE)
    List<User> page(@RequestParam(defaultValue = "0") int after, @RequestParam(defaultValue = "50") int size) {
        UserPage page = new UserPage(after, size);
        return read(() -> users.page(page));
    }

    private static <T> T read(Supplier<T> rows) {
        try {
            return rows.get();
        } catch (DataAccessException | TransactionException failure) {
            throw DatabaseFailure.unusable(failure);
        }
    }

    private static final class NoUsers implements Users {

        @Override
        public Optional<User> find(int id) {
            throw DatabaseFailure.switchedOff();
        }

        @Override
        public List<User> page(UserPage page) {
            throw DatabaseFailure.switchedOff();
        }
    }
}
