package dev.springbench.common;

import java.util.concurrent.ThreadLocalRandom;

/** The ways an order may be paid. */
public enum Channel {
    VISA,
    MASTERCARD,
    PAYPAL,
    TRANSFER,
    VOUCHER;

    private static final Channel[] ALL = values();

    public static Channel random() {
        return ALL[ThreadLocalRandom.current().nextInt(ALL.length)];
    }

    public String receipt(OrderId order) {
        return "Order " + order.value() + " paid via " + this;
    }
}
