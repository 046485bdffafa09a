package dev.springbench.common;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.springframework.boot.SpringBootVersion;
import org.springframework.boot.autoconfigure.AutoConfigurationImportFilter;
import org.springframework.boot.autoconfigure.AutoConfigurationMetadata;
import org.springframework.context.EnvironmentAware;
import org.springframework.core.env.Environment;

/**
 * Keeps Spring Boot from configuring what no property asks for: by default no pool is opened, no validator started and
 * nobody looks at a request but its handler, so that a route costs what it costs without all that.
 *
 * <p>By name, as the Boot lines keep the same configurations in different packages.
 */
public final class FeatureSwitch implements AutoConfigurationImportFilter, EnvironmentAware {

    private static final Pattern ANY_DATABASE =
            Pattern.compile("\\.(jdbc|jpa|hibernate|orm|r2dbc|sql|transaction|persistence|dao|data)\\.");
    private static final Pattern JPA = Pattern.compile("\\.(jpa|hibernate|orm|data)\\.");
    private static final Pattern VALIDATION = Pattern.compile("\\.validation\\.");
    private static final Pattern SECURITY = Pattern.compile("\\.security\\.");
    private static final Pattern TRACING = Pattern.compile("\\.tracing\\.|\\.opentelemetry\\.|OpenTelemetry|Otlp");
    private static final Pattern METRICS = Pattern.compile("\\.metrics\\.|Metrics");
    /** What both stand on. */
    private static final Pattern OBSERVATION =
            Pattern.compile("\\.actuate\\.|\\.micrometer\\.|\\.observation\\.|Observation|\\.health\\.|Health");

    private final List<Pattern> unwanted = new ArrayList<>();

    @Override
    public void setEnvironment(Environment environment) {
        switch (environment.getProperty("springbench.database", "none")) {
            case "none" -> unwanted.add(ANY_DATABASE);
            case "jdbc", "r2dbc" -> unwanted.add(JPA);
            case "jpa" -> {}
            default ->
                throw new IllegalArgumentException("springbench.database is '"
                        + environment.getProperty("springbench.database") + "'; allowed: none, jpa, jdbc, r2dbc");
        }
        boolean metrics = isOn(environment, "metrics");
        boolean tracing = isOn(environment, "tracing");
        unwantedUnless(isOn(environment, "validation"), VALIDATION);
        unwantedUnless(isOn(environment, "security"), SECURITY);
        // Boot 3 makes no spans where metrics are not configured
        unwantedUnless(metrics || tracing && SpringBootVersion.getVersion().startsWith("3."), METRICS);
        unwantedUnless(tracing, TRACING);
        unwantedUnless(metrics || tracing, OBSERVATION);
    }

    /** @param feature the last part of its property's name */
    public static boolean isOn(Environment environment, String feature) {
        return environment.getProperty("springbench." + feature, Boolean.class, false);
    }

    @Override
    public boolean[] match(String[] autoConfigurations, AutoConfigurationMetadata metadata) {
        boolean[] wanted = new boolean[autoConfigurations.length];
        for (int index = 0; index < wanted.length; index++) {
            // an earlier filter may have taken it out already
            String name = autoConfigurations[index];
            wanted[index] = name == null
                    || unwanted.stream().noneMatch(each -> each.matcher(name).find());
        }
        return wanted;
    }

    private void unwantedUnless(boolean wanted, Pattern autoConfigurations) {
        if (!wanted) {
            unwanted.add(autoConfigurations);
        }
    }
}
