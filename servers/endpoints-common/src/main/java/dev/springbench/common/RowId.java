package dev.springbench.common;

import java.util.regex.Pattern;

/** The row that {@code /users/{id}} or {@code /orders/{id}} is asked for. */
public record RowId(int value) {

    private static final Pattern ALLOWED = Pattern.compile("[1-9][0-9]{0,8}");

    /** @param segment the part of the path, as it came */
    public static RowId parse(String segment) {
        if (!ALLOWED.matcher(segment).matches()) {
            throw new InvalidRequest("id must be a whole number from 1 to 999999999");
        }
        return new RowId(Integer.parseInt(segment));
    }
}
