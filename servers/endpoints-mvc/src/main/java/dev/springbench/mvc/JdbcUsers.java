package dev.springbench.mvc;

import dev.springbench.common.User;
import dev.springbench.common.UserPage;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** Reads users with {@link JdbcClient}: one statement, no transaction around it. */
@Component
@ConditionalOnProperty(name = "springbench.database", havingValue = "jdbc")
class JdbcUsers implements Users {

    private static final String BY_ID = "select id, name, email, city, created_at_epoch_s from users where id = ?";

    private static final String PAGE =
            "select id, name, email, city, created_at_epoch_s from users where id > ? order by id limit ?";

    private final JdbcClient client;

    JdbcUsers(JdbcClient client) {
        this.client = client;
    }

    @Override
    public Optional<User> find(int id) {
        return client.sql(BY_ID).param(id).query(JdbcUsers::user).optional();
    }

    @Override
    public List<User> page(UserPage page) {
        return client.sql(PAGE)
                .param(page.after())
                .param(page.size())
                .query(JdbcUsers::user)
                .list();
    }

    private static User user(ResultSet row, int number) throws SQLException {
        return new User(row.getInt(1), row.getString(2), row.getString(3), row.getString(4), row.getLong(5));
    }
}
