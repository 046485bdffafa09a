package dev.springbench.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LoginTest {

    @Test
    void readsWhatLibpqReads() throws Unusable {
        assertThat(Login.parse("postgresql://me:s%40+cret@db.example:6432/bench"))
                .isEqualTo(new Login("db.example:6432/bench", "me", "s@+cret"));
        assertThat(Login.parse("postgres://me@localhost/bench")).isEqualTo(new Login("localhost:5432/bench", "me", ""));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "secret",
                "mysql://me:secret@host/x",
                "postgresql://me:secret@host",
                "postgresql://host/x",
                "postgresql://me:secret@ho st/x",
                "postgresql://me:secret@host/x?sslmode=require"
            })
    void refusesAnythingElseWithoutRepeatingIt(String url) {
        assertThatThrownBy(() -> Login.parse(url))
                .isInstanceOf(Unusable.class)
                .hasMessageContaining("postgresql://user:password@host:port/name")
                .hasMessageNotContaining("secret");
    }

    @Test
    void neverShowsThePassword() throws Unusable {
        assertThat(Login.parse("postgresql://me:secret@host/x")).hasToString("me@host:5432/x");
    }
}
