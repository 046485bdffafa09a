package dev.springbench.contract;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** A server in a process of its own: for what is set once a process, and for jars. */
final class OwnProcess implements RunningServer {

    private static final Pattern STARTED = Pattern.compile("(\\w+) started on ports? (\\d+)");
    private static final int STARTUP_CEILING_S = 120;

    private final Process process;
    private final List<String> log = new ArrayList<>();
    private final CompletableFuture<MatchResult> started = new CompletableFuture<>();

    private OwnProcess(Process process) {
        this.process = process;
        // reading a pipe holds the thread that carries a virtual one, and there are no more of those than CPUs
        Thread.ofPlatform().daemon().start(this::read);
    }

    /** @param program what follows the options of the JVM: a main class with its class path, or a jar */
    static OwnProcess start(Map<String, String> systemProperties, List<String> program, List<String> arguments) {
        List<String> command = new ArrayList<>();
        command.add(tool("java"));
        command.addAll(List.of(System.getProperty("springbench.jvmOptions").split(" ")));
        systemProperties.forEach((key, value) -> command.add("-D" + key + "=" + value));
        command.addAll(program);
        command.addAll(arguments);
        try {
            Process process =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            return new OwnProcess(process).awaited();
        } catch (IOException failure) {
            throw new UncheckedIOException("Cannot start " + command.getFirst(), failure);
        }
    }

    /** Runs a tool of the JDK to its end. */
    static void run(String tool, String... arguments) {
        List<String> command = new ArrayList<>(List.of(arguments));
        command.addFirst(tool(tool));
        try {
            int code = new ProcessBuilder(command).inheritIO().start().waitFor();
            if (code != 0) {
                throw new IllegalStateException(tool + " ended with " + code);
            }
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted", stopped);
        }
    }

    private static String tool(String name) {
        return Path.of(System.getProperty("java.home"), "bin", name).toString();
    }

    @Override
    public URI uri(String route) {
        return URI.create("http://127.0.0.1:" + started.join().group(2) + route);
    }

    @Override
    public String name() {
        return started.join().group(1);
    }

    /** @return what it has printed so far */
    String log() {
        synchronized (log) {
            return String.join("\n", log);
        }
    }

    @Override
    public void close() {
        process.destroyForcibly().onExit().join();
    }

    private OwnProcess awaited() {
        try {
            started.get(STARTUP_CEILING_S, TimeUnit.SECONDS);
            return this;
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException failure) {
            // told below, with what it printed
        }
        close();
        throw new AssertionError("The server did not start:\n" + log());
    }

    private void read() {
        try (BufferedReader lines = process.inputReader()) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                synchronized (log) {
                    log.add(line);
                }
                STARTED.matcher(line).results().forEach(started::complete);
            }
        } catch (IOException closed) {
            // it was stopped
        }
        started.completeExceptionally(new IllegalStateException("The server has ended"));
    }
}
