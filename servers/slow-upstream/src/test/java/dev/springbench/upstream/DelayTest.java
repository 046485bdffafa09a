package dev.springbench.upstream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DelayTest {

    @ParameterizedTest
    @ValueSource(strings = {"", "-1", "1s", "1.5", "uniform", "uniform(5,1)", "uniform(0)", "uniform(0,1", "99999999"})
    void whatIsNoDelayIsRefused(String text) {
        assertThatThrownBy(() -> Delay.parse(text)).hasMessageContaining("is no delay: give milliseconds");
    }

    @Test
    void aFixedDelayIsAlwaysTheSame() {
        assertThat(draw("250", 1, 1_000)).containsOnly(250_000_000L);
    }

    @Test
    void theSameSeedGivesTheSameDelaysAndAnotherDoesNot() {
        assertThat(draw("uniform(0,1000)", 7, 100)).isEqualTo(draw("uniform(0,1000)", 7, 100));
        assertThat(draw("uniform(0,1000)", 7, 100)).isNotEqualTo(draw("uniform(0,1000)", 8, 100));
    }

    @Test
    void uniformFillsItsRangeEvenly() {
        List<Long> delays = draw("uniform(200,1000)", 1, 100_000);
        assertThat(delays).allSatisfy(delay -> assertThat(delay).isBetween(200_000_000L, 1_000_000_000L));
        for (int tenth = 0; tenth < 10; tenth++) {
            long from = 200_000_000L + tenth * 80_000_000L;
            assertThat(delays.stream().filter(delay -> delay >= from && delay < from + 80_000_000L))
                    .hasSizeBetween(9_500, 10_500);
        }
    }

    @Test
    void restartBeginsAnew() {
        DelaySequence sequence = new DelaySequence(Delay.parse("uniform(0,1000)"), 3);
        long first = sequence.nextNanos();
        sequence.nextNanos();
        sequence.restart();
        assertThat(sequence.nextNanos()).isEqualTo(first);
    }

    private static List<Long> draw(String delay, long seed, int count) {
        DelaySequence sequence = new DelaySequence(Delay.parse(delay), seed);
        return LongStream.generate(sequence::nextNanos).limit(count).boxed().toList();
    }
}
