package dev.springbench.mvc;

import dev.springbench.common.Order;
import jakarta.persistence.CollectionTable;
import jakarta.persistence.Column;
import jakarta.persistence.ElementCollection;
import jakarta.persistence.Embeddable;
import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import jakarta.persistence.JoinColumn;
import jakarta.persistence.OrderColumn;
import jakarta.persistence.Table;
import java.util.List;

/** An order as JPA knows it; its lines are read where a query asks for them. */
@Entity
@Table(name = "orders")
class OrderEntity {

    @Id
    @GeneratedValue(strategy = GenerationType.IDENTITY)
    private Long id;

    private int customerId;
    private String status;

    @Column(name = "created_at_epoch_s")
    private long createdAtEpochS;

    private long totalCents;

    @ElementCollection
    @CollectionTable(name = "order_lines", joinColumns = @JoinColumn(name = "order_id"))
    @OrderColumn(name = "position")
    private List<Line> lines;

    protected OrderEntity() {}

    OrderEntity(Order order) {
        customerId = order.customerId();
        status = order.status();
        createdAtEpochS = order.createdAtEpochS();
        totalCents = order.totalCents();
        lines = order.lines().stream().map(Line::new).toList();
    }

    Order order() {
        return new Order(
                id,
                customerId,
                status,
                createdAtEpochS,
                totalCents,
                lines.stream().map(Line::line).toList());
    }

    Order.Summary summary() {
        return new Order.Summary(id, customerId, status, createdAtEpochS, totalCents);
    }

    @Embeddable
    static class Line {

        private String sku;
        private int quantity;
        private int unitCents;

        protected Line() {}

        Line(Order.Line line) {
            sku = line.sku();
            quantity = line.quantity();
            unitCents = line.unitCents();
        }

        Order.Line line() {
            return new Order.Line(sku, quantity, unitCents);
        }
    }
}
