package dev.springbench.common;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OrderIdTest {

    @Test
    void aMissingParameterGivesTheDefault() {
        assertThat(OrderId.parse(null).value()).isEqualTo("A-1001");
    }

    @ParameterizedTest
    @ValueSource(strings = {"A", "a_b-9", "1234567890123456789012345678901234567890123456789012345678901234"})
    void keepsWhatIsAllowed(String parameter) {
        assertThat(OrderId.parse(parameter).value()).isEqualTo(parameter);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "a b",
                "a\n",
                "ä",
                "a,b",
                "12345678901234567890123456789012345678901234567890123456789012345"
            })
    void refusesTheRestAndSaysWhatIsAllowed(String parameter) {
        assertThatThrownBy(() -> OrderId.parse(parameter))
                .isInstanceOf(InvalidRequest.class)
                .hasMessageContaining("1 to 64 characters");
    }
}
