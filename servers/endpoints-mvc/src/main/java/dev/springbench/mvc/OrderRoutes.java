package dev.springbench.mvc;

import dev.springbench.common.DatabaseFailure;
import dev.springbench.common.NewOrder;
import dev.springbench.common.NoSuchRow;
import dev.springbench.common.Order;
import dev.springbench.common.OrderPage;
import dev.springbench.common.RowId;
import jakarta.validation.Valid;
import java.net.URI;
import java.util.List;
import java.util.function.Function;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.dao.DataAccessException;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.transaction.TransactionException;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** The routes of the realistic service, in plain blocking code. */
@RestController
class OrderRoutes {

    private final Orders orders;

    OrderRoutes(ObjectProvider<Orders> orders) {
        this.orders = orders.getIfAvailable();
    }

    @GetMapping(path = "/orders/{id}", produces = MediaType.APPLICATION_JSON_VALUE)
    Order order(@PathVariable String id) {
        int wanted = RowId.parse(id).value();
        return from(each -> each.find(wanted)).orElseThrow(NoSuchRow::order);
    }

    @GetMapping(path = "/orders", produces = MediaType.APPLICATION_JSON_VALUE)
    List<Order.Summary> page(
            @RequestParam(defaultValue = "1") int customer, @RequestParam(defaultValue = "20") int size) {
        OrderPage page = new OrderPage(customer, size);
        return from(each -> each.page(page));
    }

    @PostMapping(path = "/orders", produces = MediaType.APPLICATION_JSON_VALUE)
    ResponseEntity<Order> create(@Valid @RequestBody NewOrder wanted) {
        Order order = from(each -> each.create(wanted));
        return ResponseEntity.created(URI.create("/orders/" + order.id())).body(order);
    }

    private <T> T from(Function<Orders, T> ask) {
        if (orders == null) {
            throw DatabaseFailure.switchedOff();
        }
        try {
            return ask.apply(orders);
        } catch (DataAccessException | TransactionException failure) {
            throw DatabaseFailure.unusable(failure);
        }
    }
}
