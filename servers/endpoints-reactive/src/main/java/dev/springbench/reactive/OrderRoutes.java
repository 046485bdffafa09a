package dev.springbench.reactive;

import dev.springbench.common.NewOrder;
import dev.springbench.common.NoSuchRow;
import dev.springbench.common.Order;
import dev.springbench.common.OrderPage;
import dev.springbench.common.RowId;
import jakarta.validation.Valid;
import java.net.URI;
import java.util.List;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;

/** The routes of the realistic service, in non-blocking code. */
@RestController
class OrderRoutes {

    private final Orders orders;

    OrderRoutes(Orders orders) {
        this.orders = orders;
    }

    @GetMapping(path = "/orders/{id}", produces = MediaType.APPLICATION_JSON_VALUE)
    Mono<Order> order(@PathVariable String id) {
        return orders.find(RowId.parse(id).value()).switchIfEmpty(Mono.error(NoSuchRow::order));
    }

    @GetMapping(path = "/orders", produces = MediaType.APPLICATION_JSON_VALUE)
    Mono<List<Order.Summary>> page(
            @RequestParam(defaultValue = "1") int customer, @RequestParam(defaultValue = "20") int size) {
        return orders.page(new OrderPage(customer, size));
    }

    @PostMapping(path = "/orders", produces = MediaType.APPLICATION_JSON_VALUE)
    Mono<ResponseEntity<Order>> create(@Valid @RequestBody Mono<NewOrder> wanted) {
        return wanted.flatMap(orders::create).map(order -> ResponseEntity.created(URI.create("/orders/" + order.id()))
                .body(order));
    }
}
