package dev.springbench.reactive;

import dev.springbench.common.DatabaseFailure;
import dev.springbench.common.User;
import dev.springbench.common.UserPage;
import io.r2dbc.spi.ConnectionFactory;
import io.r2dbc.spi.Readable;
import java.time.Duration;
import java.util.List;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;

/** Reads users with {@link DatabaseClient}, the counterpart of the JdbcClient of the blocking servers. */
@Component
class Users {

    private static final String BY_ID = "select id, name, email, city, created_at_epoch_s from users where id = $1";

    private static final String PAGE =
            "select id, name, email, city, created_at_epoch_s from users where id > $1 order by id limit $2";

    private final DatabaseClient client;
    private final Duration timeout;

    Users(ObjectProvider<ConnectionFactory> connections, @Value("${springbench.database.timeout-ms}") long timeoutMs) {
        ConnectionFactory pool = connections.getIfAvailable();
        this.client = pool == null ? null : DatabaseClient.create(pool);
        // the pool and the statement may each take the ceiling before they give up by themselves
        this.timeout = Duration.ofMillis(2 * timeoutMs);
    }

    /** @return the user, or nothing where no row has the id */
    Mono<User> find(int id) {
        if (client == null) {
            return Mono.error(DatabaseFailure.switchedOff());
        }
        return client.sql(BY_ID)
                .bind(0, id)
                .map(Users::user)
                .one()
                .timeout(timeout)
                .onErrorMap(DatabaseFailure::unusable);
    }

    Mono<List<User>> page(UserPage page) {
        if (client == null) {
            return Mono.error(DatabaseFailure.switchedOff());
        }
        return client.sql(PAGE)
                .bind(0, page.after())
                .bind(1, page.size())
                .map(Users::user)
                .all()
                .collectList()
                .timeout(timeout)
                .onErrorMap(DatabaseFailure::unusable);
    }

    private static User user(Readable row) {
        return new User(
                row.get(0, Integer.class),
                row.get(1, String.class),
                row.get(2, String.class),
                row.get(3, String.class),
                row.get(4, Long.class));
    }
}
