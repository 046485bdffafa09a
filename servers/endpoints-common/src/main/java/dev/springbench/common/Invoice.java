package dev.springbench.common;

import java.util.List;

/** The document behind {@code /json}. Amounts are whole cents: their text is the same in every serializer. */
public record Invoice(
        long number,
        String currency,
        long issuedAtEpochS,
        Party seller,
        Party buyer,
        List<Line> lines,
        Totals totals,
        List<String> notes) {

    public record Party(String name, String email, Address address) {}

    public record Address(String street, String city, String postcode, String country) {}

    public record Line(int position, String article, String description, int quantity, long unitCents, long cents) {}

    public record Totals(long netCents, long taxCents, long grossCents) {}
}
