package dev.springbench.database;

import java.io.PrintWriter;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/** Exit codes: 0 stopped, 2 a bad option or a database that must not be used, 3 this host cannot run it. */
public final class Main {

    static final int BAD_OPTION = 2;
    static final int CANNOT_RUN = 3;

    private Main() {}

    public static void main(String[] args) {
        System.exit(commandLine().execute(args));
    }

    static CommandLine commandLine() {
        return new CommandLine(new Database())
                .setParameterExceptionHandler((mistake, args) -> sayInOneLine(mistake))
                .setExecutionExceptionHandler((failure, command, parsed) -> {
                    if (failure instanceof Unusable unusable) {
                        new Lines(command.getOut()).failed(unusable.getMessage());
                        return unusable.exitCode();
                    }
                    throw failure;
                });
    }

    private static int sayInOneLine(ParameterException mistake) {
        PrintWriter err = mistake.getCommandLine().getErr();
        err.println("database: " + mistake.getMessage() + " (--help lists the options)");
        return BAD_OPTION;
    }
}
