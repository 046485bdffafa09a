package dev.springbench.common;

import java.util.regex.Pattern;

/** The order that {@code /pay} is asked to pay. */
public record OrderId(String value) {

    private static final OrderId DEFAULT = new OrderId("A-1001");
    private static final Pattern ALLOWED = Pattern.compile("[A-Za-z0-9_-]{1,64}");

    /** @param parameter the query parameter as it came, null where it is missing */
    public static OrderId parse(String parameter) {
        if (parameter == null) {
            return DEFAULT;
        }
        if (!ALLOWED.matcher(parameter).matches()) {
            throw new InvalidRequest("orderId must be 1 to 64 characters out of A-Z, a-z, 0-9, '_' and '-'");
        }
        return new OrderId(parameter);
    }
}
