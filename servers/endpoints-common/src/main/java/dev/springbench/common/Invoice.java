package dev.springbench.common;

import jakarta.validation.Valid;
import jakarta.validation.constraints.Email;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.NotEmpty;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Positive;
import jakarta.validation.constraints.PositiveOrZero;
import jakarta.validation.constraints.Size;
import java.util.List;

/**
 * The document behind {@code /json}, and what {@code /json-in} takes. Amounts are whole cents: their text is the same in
 * every serializer.
 */
public record Invoice(
        @Positive long number,
        @NotNull @Pattern(regexp = "[A-Z]{3}") String currency,
        @PositiveOrZero long issuedAtEpochS,
        @NotNull @Valid Party seller,
        @NotNull @Valid Party buyer,
        @NotEmpty @Size(max = 200) List<@NotNull @Valid Line> lines,
        Totals totals,
        @NotNull List<@NotBlank String> notes) {

    public record Party(
            @NotBlank @Size(max = 100) String name,
            @NotNull @Email String email,
            @NotNull @Valid Address address) {}

    public record Address(
            @NotBlank String street,
            @NotBlank String city,
            @NotBlank String postcode,
            @NotNull @Pattern(regexp = "[A-Z]{2}") String country) {}

    public record Line(
            @Positive int position,
            @NotBlank String article,
            @NotBlank String description,
            @Positive int quantity,
            @PositiveOrZero long unitCents,
            @PositiveOrZero long cents) {}

    public record Totals(long netCents, long taxCents, long grossCents) {

        static Totals of(long netCents) {
            long taxCents = netCents / 5;
            return new Totals(netCents, taxCents, netCents + taxCents);
        }
    }

    /** @return the same with the totals that its lines make */
    public Invoice withTotals() {
        long netCents = lines.stream()
                .mapToLong(line -> line.quantity() * line.unitCents())
                .sum();
        return new Invoice(number, currency, issuedAtEpochS, seller, buyer, lines, Totals.of(netCents), notes);
    }
}
