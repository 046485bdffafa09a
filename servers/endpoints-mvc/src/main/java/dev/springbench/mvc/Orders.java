package dev.springbench.mvc;

import dev.springbench.common.NewOrder;
import dev.springbench.common.Order;
import dev.springbench.common.OrderPage;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.data.domain.Limit;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** Orders with their lines, as a service with JPA has them: transactions here, entities go no further. */
@Service
@ConditionalOnProperty(name = "springbench.database", havingValue = "jpa")
class Orders {

    private final OrderRepository orders;
    private final ProductRepository products;

    Orders(OrderRepository orders, ProductRepository products) {
        this.orders = orders;
        this.products = products;
    }

    @Transactional(readOnly = true)
    public Optional<Order> find(long id) {
        return orders.findWithLinesById(id).map(OrderEntity::order);
    }

    @Transactional(readOnly = true)
    public List<Order.Summary> page(OrderPage page) {
        return orders.findByCustomerIdOrderByIdDesc(page.customerId(), Limit.of(page.size())).stream()
                .map(OrderEntity::summary)
                .toList();
    }

    @Transactional
    public Order create(NewOrder wanted) {
        Map<String, Integer> unitCents = products.findBySkuIn(wanted.skus()).stream()
                .collect(Collectors.toMap(ProductEntity::sku, ProductEntity::unitCents));
        return orders.save(new OrderEntity(wanted.priced(unitCents))).order();
    }
}
