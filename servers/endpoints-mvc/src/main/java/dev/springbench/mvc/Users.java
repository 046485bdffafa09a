package dev.springbench.mvc;

import dev.springbench.common.User;
import dev.springbench.common.UserPage;
import java.util.List;
import java.util.Optional;

/** The table of users, in whichever way {@code springbench.database} says. */
interface Users {

    Optional<User> find(int id);

    List<User> page(UserPage page);
}
