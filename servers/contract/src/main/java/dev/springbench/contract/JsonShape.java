package dev.springbench.contract;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** The document behind {@code /json} with every digit masked: what may change is digits, and nothing else. */
final class JsonShape {

    private static final String EXPECTED = "json-shape.json";

    private JsonShape() {}

    static String of(String json) {
        return json.replaceAll("[0-9]", "0");
    }

    static String expected() {
        try (InputStream shape = JsonShape.class.getResourceAsStream(EXPECTED)) {
            return new String(shape.readAllBytes(), StandardCharsets.UTF_8).strip();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
