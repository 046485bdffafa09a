package dev.springbench.upstream;

import java.net.InetSocketAddress;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

@Command(
        name = "slow-upstream",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        version = "slow-upstream 1",
        description = {
            "Answers every GET after a delay, with the same delays in every run; over HTTP/1.1, and over HTTP/2",
            "without TLS where the client knows that it is spoken.",
            "GET /stats tells how late its own timer was; POST /stats/reset starts the delays anew.",
            ""
        },
        footer = {"", "Example: slow-upstream --port 9090 --delay 'uniform(0,1000)'"})
final class SlowUpstream implements Callable<Integer> {

    @Spec
    private CommandSpec spec;

    @Option(names = "--port", defaultValue = "9090", description = "0 takes any free one; default ${DEFAULT-VALUE}")
    private int port;

    @Option(names = "--host", defaultValue = "127.0.0.1", description = "default ${DEFAULT-VALUE}")
    private String host;

    @Option(
            names = "--delay",
            defaultValue = "uniform(0,1000)",
            converter = Delay.Converter.class,
            description = "milliseconds: a number, or uniform(least,most); default ${DEFAULT-VALUE}")
    private Delay delay;

    @Option(names = "--seed", defaultValue = "20240229", description = "of the delays; default ${DEFAULT-VALUE}")
    private long seed;

    @Option(names = "--threads", defaultValue = "1", description = "event loops; default ${DEFAULT-VALUE}")
    private int threads;

    @Option(
            names = "--at-once",
            defaultValue = "0",
            description = "how many delays run at once, the others queue; 0: all; default ${DEFAULT-VALUE}")
    private int atOnce;

    @Option(
            names = "--backlog",
            defaultValue = "16384",
            description = "connections waiting to be accepted (the kernel caps it at net.core.somaxconn);"
                    + " default ${DEFAULT-VALUE}")
    private int backlog;

    @Override
    public Integer call() throws InterruptedException {
        between("--port", port, 0, 65_535);
        between("--threads", threads, 1, 1_024);
        between("--at-once", atOnce, 0, 1_000_000);
        between("--backlog", backlog, 1, 1_000_000);
        InetSocketAddress address = new InetSocketAddress(host, port);
        if (address.isUnresolved()) {
            throw new ParameterException(spec.commandLine(), "--host: '" + host + "' is not known");
        }
        try (Server server =
                Server.start(address, threads, backlog, new DelaySequence(delay, seed), new Gate(atOnce))) {
            spec.commandLine().getOut().println("listening on " + host + ":" + server.port());
            spec.commandLine().getOut().flush();
            server.awaitClose();
        }
        return 0;
    }

    private void between(String option, int value, int least, int most) {
        if (value < least || value > most) {
            throw new ParameterException(
                    spec.commandLine(), option + " must be " + least + " to " + most + ", not " + value);
        }
    }
}
