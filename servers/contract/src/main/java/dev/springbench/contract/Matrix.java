package dev.springbench.contract;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.tomlj.Toml;
import org.tomlj.TomlArray;
import org.tomlj.TomlParseResult;
import org.tomlj.TomlTable;

/** The part of {@code bench/matrix.toml} that a server has to live up to. */
final class Matrix {

    /** How many connections a model that follows them is made for. */
    static final int TUNED_CONNECTIONS = 400;

    private static final String CONNECTIONS = "{connections}";
    /** Ids of the models that are looked at, separated by commas; all where it is empty. */
    private static final String ONLY = System.getProperty("springbench.models", "");

    private final TomlParseResult toml;

    private Matrix(TomlParseResult toml) {
        this.toml = toml;
    }

    static Matrix read(Path path) {
        try {
            TomlParseResult toml = Toml.parse(path);
            if (toml.hasErrors()) {
                throw new IllegalArgumentException(path + ": " + toml.errors());
            }
            return new Matrix(toml);
        } catch (IOException failure) {
            throw new UncheckedIOException("Cannot read the matrix at " + path, failure);
        }
    }

    /** @return whether every model is looked at */
    static boolean isWhole() {
        return ONLY.isEmpty();
    }

    /** @return the models of this server on this Boot line, with the properties that each sets on it */
    List<Model> models(String boot, String server) {
        return rows("servers")
                .filter(row -> row.getString("id").equals(server))
                .filter(row -> strings(row.getArray("boots")).anyMatch(boot::equals))
                .flatMap(row -> strings(row.getArray("models")))
                .filter(id -> ONLY.isEmpty() || List.of(ONLY.split(",")).contains(id))
                .map(id -> model(id, server))
                .toList();
    }

    /** @return the protocols of this server other than HTTP/1.1 */
    List<Protocol> protocols(String server) {
        return rows("protocols")
                .filter(row -> row.getArrayOrEmpty("servers").isEmpty()
                        || strings(row.getArray("servers")).anyMatch(server::equals))
                .map(row -> new Protocol(
                        row.getString("id"),
                        row.getBoolean("tls", () -> false),
                        row.contains("streams"),
                        merged(table(row, "properties"), table(row, "key_properties"))))
                .toList();
    }

    private Model model(String id, String server) {
        TomlTable row = rows("models")
                .filter(candidate -> candidate.getString("id").equals(id))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("No model '" + id + "' in the matrix"));
        TomlTable perServer = row.getTableOrEmpty("server_properties");
        Map<String, String> properties = merged(table(row, "properties"), table(perServer, server));
        boolean tuned = properties.containsValue(CONNECTIONS);
        properties.replaceAll((key, value) -> value.replace(CONNECTIONS, String.valueOf(TUNED_CONNECTIONS)));
        String image = Objects.requireNonNullElse(row.getString("image"), id);
        return new Model(id, image, table(row, "system_properties"), properties, tuned, cap(server, id));
    }

    private Optional<Integer> cap(String server, String model) {
        return rows("caps")
                .filter(row -> row.getString("server").equals(server)
                        && strings(row.getArray("models")).anyMatch(model::equals))
                .findFirst()
                .map(row -> row.isTable("at_once") ? perCpu(row.getTable("at_once")) : number(row, "at_once"));
    }

    private static int perCpu(TomlTable limit) {
        int cpus = Runtime.getRuntime().availableProcessors();
        return number(limit, "per_cpu") * Math.max(cpus, number(limit, "min_cpus"));
    }

    private static int number(TomlTable table, String key) {
        return Math.toIntExact(table.getLong(key, () -> 1L));
    }

    private Stream<TomlTable> rows(String name) {
        TomlArray rows = toml.getArrayOrEmpty(name);
        return IntStream.range(0, rows.size()).mapToObj(rows::getTable);
    }

    private static Stream<String> strings(TomlArray array) {
        return array.toList().stream().map(String.class::cast);
    }

    private static Map<String, String> merged(Map<String, String> one, Map<String, String> other) {
        Map<String, String> all = new HashMap<>(one);
        all.putAll(other);
        return all;
    }

    /** Property names have dots, which are no path here. */
    private static Map<String, String> table(TomlTable parent, String key) {
        TomlTable table = parent.getTableOrEmpty(List.of(key));
        return table.keySet().stream()
                .collect(Collectors.toMap(name -> name, name -> String.valueOf(table.get(List.of(name)))));
    }
}
