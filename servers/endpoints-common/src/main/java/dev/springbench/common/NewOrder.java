package dev.springbench.common;

import jakarta.validation.Valid;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotEmpty;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Positive;
import jakarta.validation.constraints.Size;
import java.util.List;
import java.util.Map;

/** What {@code POST /orders} takes. */
public record NewOrder(
        @Positive int customerId, @NotEmpty @Size(max = 20) List<@NotNull @Valid Item> items) {

    public record Item(
            @NotNull @Pattern(regexp = "[A-Z]-[0-9]{4}") String sku,
            @Min(1) @Max(99) int quantity) {}

    public List<String> skus() {
        return items.stream().map(Item::sku).distinct().toList();
    }

    /**
     * @param unitCents the price of each product
     * @return the order, without an id
     */
    public Order priced(Map<String, Integer> unitCents) {
        return Order.of(
                customerId, items.stream().map(item -> line(item, unitCents)).toList());
    }

    private static Order.Line line(Item item, Map<String, Integer> unitCents) {
        Integer price = unitCents.get(item.sku());
        if (price == null) {
            throw new InvalidRequest("No product has the sku " + item.sku());
        }
        return new Order.Line(item.sku(), item.quantity(), price);
    }
}
