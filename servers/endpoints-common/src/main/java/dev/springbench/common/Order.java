package dev.springbench.common;

import java.util.List;

/** The document behind {@code /orders/{id}}. */
public record Order(long id, int customerId, String status, long createdAtEpochS, long totalCents, List<Line> lines) {

    /** A product as it was sold. */
    public record Line(String sku, int quantity, int unitCents) {

        long cents() {
            return (long) quantity * unitCents;
        }
    }

    /** One row of {@code /orders}. */
    public record Summary(long id, int customerId, String status, long createdAtEpochS, long totalCents) {}

    /** An order that somebody has just sent, whose id is not known yet. */
    public static Order of(int customerId, List<Line> lines) {
        long totalCents = lines.stream().mapToLong(Line::cents).sum();
        return new Order(0, customerId, "new", System.currentTimeMillis() / 1_000, totalCents, lines);
    }

    public Order withId(long given) {
        return new Order(given, customerId, status, createdAtEpochS, totalCents, lines);
    }
}
