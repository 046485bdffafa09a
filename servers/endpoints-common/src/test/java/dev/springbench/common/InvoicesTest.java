package dev.springbench.common;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class InvoicesTest {

    private static final int MANY = 50_000;

    private final Invoices invoices = new Invoices();

    @Test
    void noTwoAreTheSameAndAllAreEquallyLong() {
        assertThat(many().map(invoice -> invoice.toString().length()).distinct())
                .hasSize(1);
        assertThat(many().distinct()).hasSize(MANY);
    }

    @Test
    void totalsAddUp() {
        assertThat(many()).allSatisfy(invoice -> {
            long net = invoice.lines().stream().mapToLong(Invoice.Line::cents).sum();
            assertThat(invoice.totals().netCents()).isEqualTo(net);
            assertThat(invoice.totals().grossCents())
                    .isEqualTo(net + invoice.totals().taxCents());
        });
    }

    private Stream<Invoice> many() {
        return Stream.generate(invoices::next).limit(MANY);
    }
}
