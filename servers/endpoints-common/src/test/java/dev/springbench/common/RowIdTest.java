package dev.springbench.common;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RowIdTest {

    @Test
    void readsWholeNumbers() {
        assertThat(RowId.parse("1").value()).isEqualTo(1);
        assertThat(RowId.parse("999999999").value()).isEqualTo(999_999_999);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "0", "-1", "01", "1000000000", "1.0", "one", "\u0661"})
    void refusesAnythingElse(String segment) {
        assertThatThrownBy(() -> RowId.parse(segment))
                .isInstanceOf(InvalidRequest.class)
                .hasMessage("id must be a whole number from 1 to 999999999");
    }
}
