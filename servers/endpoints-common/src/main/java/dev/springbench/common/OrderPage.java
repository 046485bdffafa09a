package dev.springbench.common;

/**
 * A page of {@code /orders}: a customer's newest.
 *
 * @param size how many at most
 */
public record OrderPage(int customerId, int size) {

    private static final int MOST = 100;

    public OrderPage {
        if (customerId < 1 || size < 1 || size > MOST) {
            throw new InvalidRequest("customer must be a number from 1 on, size from 1 to " + MOST);
        }
    }
}
