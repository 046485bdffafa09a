package dev.springbench.common;

import dev.springbench.common.Invoice.Address;
import dev.springbench.common.Invoice.Line;
import dev.springbench.common.Invoice.Party;
import dev.springbench.common.Invoice.Totals;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Makes the documents: each one other than the last, so that nothing can be cached, and all equally long, so that
 * every response costs the same. Each number therefore keeps its count of digits.
 */
public final class Invoices {

    private static final int LINES = 10;
    /** About 20 kB. */
    private static final int MANY_LINES = 160;

    private static final long FIRST_NUMBER = 1_000_000_000L;
    private static final long NUMBERS = 9_000_000_000L;
    private static final long FIRST_ISSUED_S = 1_700_000_000L;

    private static final Party SELLER = new Party(
            "Meadow & Sons Trading",
            "billing@seller.example",
            new Address("12 Harbour Street", "Bristol", "BS1 4QA", "GB"));
    private static final Party BUYER = new Party(
            "Northern Light Workshop",
            "orders@buyer.example",
            new Address("7 Mill Lane", "Edinburgh", "EH3 9DR", "GB"));
    private static final List<String> NOTES = List.of(
            "Payable within 30 days without deduction.",
            "Goods remain property of the seller until they are paid in full.");

    private final AtomicLong sequence = new AtomicLong();

    public Invoice next() {
        return next(LINES);
    }

    public Invoice nextLong() {
        return next(MANY_LINES);
    }

    private Invoice next(int count) {
        long n = sequence.getAndIncrement();
        List<Line> lines = new ArrayList<>(count);
        long net = 0;
        for (int position = 0; position < count; position++) {
            Line line = line(n, position);
            lines.add(line);
            net += line.cents();
        }
        return new Invoice(
                FIRST_NUMBER + n % NUMBERS,
                "EUR",
                FIRST_ISSUED_S + n % 1_000_000_000L,
                SELLER,
                BUYER,
                lines,
                Totals.of(net),
                NOTES);
    }

    private static Line line(long n, int position) {
        long mixed = n * 31 + position * 7_919L;
        // 20..49 pieces of 5,000..9,999 cents: 100,000..489,951 a line, 1,000,000..4,899,510 a document.
        int quantity = 20 + (int) (mixed % 30);
        long unit = 5_000 + mixed % 5_000;
        return new Line(
                10 + position,
                "ART-" + (1_000 + mixed % 9_000),
                "Oak panel, oiled and planed",
                quantity,
                unit,
                quantity * unit);
    }
}
