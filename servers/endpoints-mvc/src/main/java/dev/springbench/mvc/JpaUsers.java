package dev.springbench.mvc;

import dev.springbench.common.User;
import dev.springbench.common.UserPage;
import java.util.List;
import java.util.Optional;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.data.domain.Limit;
import org.springframework.stereotype.Component;

/** Reads users through a Spring Data repository, as most who use JPA do: with a read-only transaction of its own. */
@Component
@ConditionalOnProperty(name = "springbench.database", havingValue = "jpa")
class JpaUsers implements Users {

    private final UserRepository repository;

    JpaUsers(UserRepository repository) {
        this.repository = repository;
    }

    @Override
    public Optional<User> find(int id) {
        return repository.findById(id).map(UserEntity::user);
    }

    @Override
    public List<User> page(UserPage page) {
        return repository.findByIdGreaterThanOrderById(page.after(), Limit.of(page.size())).stream()
                .map(UserEntity::user)
                .toList();
    }
}
