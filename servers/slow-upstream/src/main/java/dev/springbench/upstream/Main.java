package dev.springbench.upstream;

import java.io.PrintWriter;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/** Exit codes: 0 stopped, 2 a bad option, 3 the address cannot be listened on. */
public final class Main {

    static final int BAD_OPTION = 2;
    static final int CANNOT_LISTEN = 3;

    private Main() {}

    public static void main(String[] args) {
        System.exit(commandLine().execute(args));
    }

    static CommandLine commandLine() {
        return new CommandLine(new SlowUpstream())
                .setParameterExceptionHandler((mistake, args) -> sayInOneLine(mistake))
                .setExecutionExceptionHandler((failure, command, parsed) -> {
                    if (failure instanceof Server.CannotListen) {
                        command.getErr().println("slow-upstream: " + failure.getMessage());
                        return CANNOT_LISTEN;
                    }
                    throw failure;
                });
    }

    private static int sayInOneLine(ParameterException mistake) {
        PrintWriter err = mistake.getCommandLine().getErr();
        err.println("slow-upstream: " + mistake.getMessage() + " (--help lists the options)");
        return BAD_OPTION;
    }
}
