package dev.springbench.contract;

import static org.awaitility.Awaitility.await;

import dev.springbench.contract.FakeUpstream.Mood;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.TestInstance;

/** A server in each thread model that the matrix gives it, started once a model, and the upstream that it relays. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class EveryModel {

    /** Long enough for 300 relays at once in a process that has only started, on a busy host. */
    static final Duration UPSTREAM_TIMEOUT = Duration.ofMillis(1_500);

    static final int MANY = 300;

    final String server;
    final FakeUpstream upstream = new FakeUpstream();
    final Client client = new Client();

    private final List<Model> models;
    private final List<Protocol> protocols;
    private final Map<Model, RunningServer> running = new HashMap<>();
    /** Until the end, as the others: Netty's servers share event loops, which end with the first of them. */
    private final Map<Map<String, String>, RunningServer> more = new HashMap<>();

    /** @param server the id that the matrix knows it by */
    EveryModel(String server) {
        this.server = server;
        String boot = "boot" + expectedBootVersion().split("\\.")[0];
        Matrix matrix = Matrix.read(Path.of(System.getProperty("springbench.matrix")));
        this.models = matrix.models(boot, server);
        this.protocols = matrix.protocols(server);
    }

    @AfterEach
    void soothe() {
        upstream.mood(Mood.FINE);
    }

    @AfterAll
    void stop() {
        client.close();
        running.values().forEach(RunningServer::close);
        more.values().forEach(RunningServer::close);
        upstream.close();
    }

    /** @return the models that are held to the whole contract */
    List<Model> models() {
        return models;
    }

    /** @return the models whose requests at once are counted */
    List<Model> countedModels() {
        return models;
    }

    final List<Protocol> protocols() {
        return protocols;
    }

    final List<Model> allModels() {
        return models;
    }

    static String expectedBootVersion() {
        return System.getProperty("springbench.bootVersion");
    }

    /** On a busy host what is limited in time fails now and then; what fails for a minute is broken. */
    static ConditionFactory sometimes() {
        return await().pollDelay(Duration.ZERO).atMost(Duration.ofMinutes(1));
    }

    HttpResponse<String> get(Model model, String route) {
        return client.get(app(model).uri(route));
    }

    RunningServer app(Model model) {
        return running.computeIfAbsent(model, absent -> start(absent, arguments(absent.properties())));
    }

    /** A server with further properties, in one model; one for all tests that ask for the same. */
    RunningServer appWith(Map<String, String> further) {
        return more.computeIfAbsent(further, absent -> {
            Model model = models().getFirst();
            Map<String, String> properties = new HashMap<>(model.properties());
            properties.putAll(absent);
            return start(model, arguments(properties));
        });
    }

    private List<String> arguments(Map<String, String> properties) {
        return RunningServer.arguments(properties, upstream.uri(), UPSTREAM_TIMEOUT.toMillis() + "ms");
    }

    /** What is set once a process needs a process of its own. */
    RunningServer start(Model model, List<String> arguments) {
        if (model.systemProperties().isEmpty()) {
            return InProcess.start(arguments);
        }
        List<String> program = List.of("-cp", System.getProperty("java.class.path"), InProcess.APPLICATION);
        return OwnProcess.start(model.systemProperties(), program, arguments);
    }
}
