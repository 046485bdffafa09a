package dev.springbench.common;

import java.util.regex.Pattern;
import org.springframework.boot.autoconfigure.AutoConfigurationImportFilter;
import org.springframework.boot.autoconfigure.AutoConfigurationMetadata;
import org.springframework.context.EnvironmentAware;
import org.springframework.core.env.Environment;

/**
 * Keeps Spring Boot from configuring what {@code springbench.database} does not ask for: by default no pool is opened
 * and no repository looked for, so that routes without a database cost what they cost without one.
 *
 * <p>By package, as the Boot lines keep the same configurations in different ones.
 */
public final class DatabaseSwitch implements AutoConfigurationImportFilter, EnvironmentAware {

    private static final Pattern ANY_DATABASE =
            Pattern.compile("\\.(jdbc|jpa|hibernate|orm|r2dbc|sql|transaction|persistence|dao|data)\\.");
    private static final Pattern ONLY_JPA = Pattern.compile("\\.(jpa|hibernate|orm|data)\\.");

    private String database = "none";

    @Override
    public void setEnvironment(Environment environment) {
        database = environment.getProperty("springbench.database", "none");
        if (!Pattern.matches("none|jpa|jdbc|r2dbc", database)) {
            throw new IllegalArgumentException(
                    "springbench.database is '" + database + "'; allowed: none, jpa, jdbc, r2dbc");
        }
    }

    @Override
    public boolean[] match(String[] autoConfigurations, AutoConfigurationMetadata metadata) {
        boolean[] wanted = new boolean[autoConfigurations.length];
        for (int index = 0; index < wanted.length; index++) {
            // an earlier filter may have taken it out already
            String name = autoConfigurations[index];
            wanted[index] = name == null || isWanted(name);
        }
        return wanted;
    }

    private boolean isWanted(String autoConfiguration) {
        return switch (database) {
            case "none" -> !ANY_DATABASE.matcher(autoConfiguration).find();
            case "jdbc", "r2dbc" -> !ONLY_JPA.matcher(autoConfiguration).find();
            default -> true;
        };
    }
}
