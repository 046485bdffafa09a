package dev.springbench.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The contract once more, kept by the AOT-processed jars: what a native image is made of, run without one. Each image
 * has to keep the whole of it, in one model; those that share an image differ in properties, which are read at startup
 * with and without AOT processing.
 */
public abstract class AotContract extends ServerContract {

    private static final Pattern HINTS =
            Pattern.compile(".*META-INF/native-image/.*/(reachability-metadata|reflect-config)\\.json");

    /** What the routes turn into JSON. */
    private static final List<String> SERIALISED =
            List.of("Invoice", "Invoice$Party", "Invoice$Address", "Invoice$Line", "Invoice$Totals", "ErrorBody");

    private final Map<Path, Path> extracted = new HashMap<>();

    /** @param server the id that the matrix knows it by */
    protected AotContract(String server) {
        super(server);
    }

    @ParameterizedTest
    @MethodSource("models")
    void startsFromItsProcessing(Model model) {
        assertThat(((OwnProcess) app(model)).log()).contains("Starting AOT-processed Application");
    }

    @ParameterizedTest
    @MethodSource("models")
    void tellsNativeImageWhatTheRoutesSerialise(Model model) {
        assertThat(hints(jar(model)))
                .contains(SERIALISED.stream()
                        .map(type -> "\"dev.springbench.common." + type + "\"")
                        .toList());
    }

    @Override
    List<Model> models() {
        return allModels().stream()
                .filter(model -> model.id().equals(model.image()))
                .toList();
    }

    @Override
    List<Model> countedModels() {
        return models();
    }

    /** One server with TLS and one without it speak them all: properties are read at startup, as without AOT processing. */
    @Override
    List<Protocol> spokenWith(Protocol protocol) {
        return protocols().stream()
                .filter(other -> other.tls() == protocol.tls())
                .toList();
    }

    @Override
    RunningServer start(Model model, List<String> arguments) {
        Map<String, String> systemProperties = new TreeMap<>(model.systemProperties());
        systemProperties.put("spring.aot.enabled", "true");
        return OwnProcess.start(
                systemProperties, List.of("-jar", extracted(jar(model)).toString()), arguments);
    }

    private static Path jar(Model model) {
        return Path.of(System.getProperty("springbench.aotJars") + model.image() + ".jar");
    }

    /** As Spring Boot advises for what starts often: classes in nested jars take half as long again to load. */
    private Path extracted(Path jar) {
        return extracted.computeIfAbsent(jar, absent -> {
            String folder = absent.toString().replaceFirst("\\.jar$", "");
            OwnProcess.run(
                    "java",
                    "-XX:TieredStopAtLevel=1",
                    "-Djarmode=tools",
                    "-jar",
                    absent.toString(),
                    "extract",
                    "--force",
                    "--destination",
                    folder);
            return Path.of(folder).resolve(absent.getFileName());
        });
    }

    private static String hints(Path path) {
        StringBuilder hints = new StringBuilder();
        try (JarFile jar = new JarFile(path.toFile())) {
            for (JarEntry entry : jar.stream().toList()) {
                if (HINTS.matcher(entry.getName()).matches()) {
                    hints.append(new String(jar.getInputStream(entry).readAllBytes(), StandardCharsets.UTF_8));
                }
            }
        } catch (IOException failure) {
            throw new UncheckedIOException("Cannot read " + path, failure);
        }
        return hints.toString();
    }
}
