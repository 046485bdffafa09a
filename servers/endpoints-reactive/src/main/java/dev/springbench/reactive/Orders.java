package dev.springbench.reactive;

import dev.springbench.common.DatabaseFailure;
import dev.springbench.common.InvalidRequest;
import dev.springbench.common.NewOrder;
import dev.springbench.common.Order;
import dev.springbench.common.OrderPage;
import io.r2dbc.spi.ConnectionFactory;
import io.r2dbc.spi.Readable;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.r2dbc.connection.R2dbcTransactionManager;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Service;
import org.springframework.transaction.reactive.TransactionalOperator;
import reactor.core.publisher.Mono;

/** Orders with their lines through {@link DatabaseClient}: each statement is what the JPA of the blocking servers sends. */
@Service
class Orders {

    private static final String BY_ID = "select o.id, o.customer_id, o.status, o.created_at_epoch_s, o.total_cents,"
            + " l.sku, l.quantity, l.unit_cents from orders o left join order_lines l on l.order_id = o.id"
            + " where o.id = $1 order by l.position";

    private static final String PAGE = "select id, customer_id, status, created_at_epoch_s, total_cents from orders"
            + " where customer_id = $1 order by id desc limit $2";

    private static final String PRICES = "select sku, unit_cents from products where sku = any($1)";

    private static final String INSERT = "insert into orders (customer_id, status, created_at_epoch_s, total_cents)"
            + " values ($1, $2, $3, $4) returning id";

    private static final String INSERT_LINES = "insert into order_lines (order_id, position, sku, quantity, unit_cents)"
            + " select $1, number - 1, sku, quantity, unit_cents"
            + " from unnest($2, $3, $4) with ordinality as line (sku, quantity, unit_cents, number)";

    private final DatabaseClient client;
    private final TransactionalOperator transaction;
    private final Duration timeout;

    Orders(ObjectProvider<ConnectionFactory> connections, @Value("${springbench.database.timeout-ms}") long timeoutMs) {
        ConnectionFactory pool = connections.getIfAvailable();
        this.client = pool == null ? null : DatabaseClient.create(pool);
        this.transaction = pool == null ? null : TransactionalOperator.create(new R2dbcTransactionManager(pool));
        // as for users
        this.timeout = Duration.ofMillis(2 * timeoutMs);
    }

    /** @return the order, or nothing where no row has the id */
    Mono<Order> find(long id) {
        return from(each -> each.sql(BY_ID)
                .bind(0, id)
                .map(Joined::of)
                .all()
                .collectList()
                .filter(rows -> !rows.isEmpty())
                .map(Joined::order));
    }

    Mono<List<Order.Summary>> page(OrderPage page) {
        return from(each -> each.sql(PAGE)
                .bind(0, page.customerId())
                .bind(1, page.size())
                .map(Orders::summary)
                .all()
                .collectList());
    }

    Mono<Order> create(NewOrder wanted) {
        return from(each -> each.sql(PRICES)
                .bind(0, wanted.skus().toArray(String[]::new))
                .map(row -> Map.entry(row.get(0, String.class), row.get(1, Integer.class)))
                .all()
                .collectMap(Map.Entry::getKey, Map.Entry::getValue)
                .map(wanted::priced)
                .flatMap(order -> insert(each, order))
                .as(transaction::transactional));
    }

    private static Mono<Order> insert(DatabaseClient client, Order order) {
        return client.sql(INSERT)
                .bind(0, order.customerId())
                .bind(1, order.status())
                .bind(2, order.createdAtEpochS())
                .bind(3, order.totalCents())
                .map(row -> row.get(0, Long.class))
                .one()
                .map(order::withId)
                .flatMap(known -> insertLines(client, known).thenReturn(known));
    }

    private static Mono<Long> insertLines(DatabaseClient client, Order order) {
        List<Order.Line> lines = order.lines();
        return client.sql(INSERT_LINES)
                .bind(0, order.id())
                .bind(1, lines.stream().map(Order.Line::sku).toArray(String[]::new))
                .bind(2, lines.stream().map(Order.Line::quantity).toArray(Integer[]::new))
                .bind(3, lines.stream().map(Order.Line::unitCents).toArray(Integer[]::new))
                .fetch()
                .rowsUpdated();
    }

    private <T> Mono<T> from(Function<DatabaseClient, Mono<T>> ask) {
        if (client == null) {
            return Mono.error(DatabaseFailure.switchedOff());
        }
        return ask.apply(client)
                .timeout(timeout)
                .onErrorMap(failure -> !(failure instanceof InvalidRequest), DatabaseFailure::unusable);
    }

    private static Order.Summary summary(Readable row) {
        return new Order.Summary(
                row.get(0, Long.class),
                row.get(1, Integer.class),
                row.get(2, String.class),
                row.get(3, Long.class),
                row.get(4, Long.class));
    }

    /** A row of an order joined with one of its lines. */
    private record Joined(Order.Summary order, Order.Line line) {

        static Joined of(Readable row) {
            return new Joined(
                    summary(row),
                    new Order.Line(row.get(5, String.class), row.get(6, Integer.class), row.get(7, Integer.class)));
        }

        static Order order(List<Joined> rows) {
            Order.Summary first = rows.getFirst().order;
            return new Order(
                    first.id(),
                    first.customerId(),
                    first.status(),
                    first.createdAtEpochS(),
                    first.totalCents(),
                    rows.stream().map(Joined::line).toList());
        }
    }
}
