package dev.springbench.common;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.springframework.boot.autoconfigure.AutoConfigurationImportFilter;
import org.springframework.boot.autoconfigure.AutoConfigurationMetadata;
import org.springframework.context.EnvironmentAware;
import org.springframework.core.env.Environment;
import org.springframework.validation.Errors;
import org.springframework.validation.FieldError;
import org.springframework.validation.Validator;

/**
 * Keeps Spring Boot from starting a validator that {@code springbench.validation} does not ask for: routes without one
 * cost what they cost without one.
 */
public final class ValidationSwitch implements AutoConfigurationImportFilter, EnvironmentAware {

    /** Takes all for valid. */
    public static final Validator NONE = new Validator() {
        @Override
        public boolean supports(Class<?> type) {
            return true;
        }

        @Override
        public void validate(Object target, Errors errors) {
            // nothing is looked at
        }
    };

    private boolean on;

    @Override
    public void setEnvironment(Environment environment) {
        on = isOn(environment);
    }

    public static boolean isOn(Environment environment) {
        return environment.getProperty("springbench.validation", Boolean.class, false);
    }

    /** @return what is said of a document that breaks rules, the same on every server */
    public static String said(List<FieldError> errors) {
        return errors.stream()
                .map(error -> error.getField() + " " + error.getDefaultMessage())
                .sorted()
                .collect(Collectors.joining("; "));
    }

    @Override
    public boolean[] match(String[] autoConfigurations, AutoConfigurationMetadata metadata) {
        boolean[] wanted = new boolean[autoConfigurations.length];
        Arrays.fill(wanted, true);
        for (int index = 0; index < wanted.length && !on; index++) {
            String name = autoConfigurations[index];
            wanted[index] = name == null || !name.contains(".validation.");
        }
        return wanted;
    }
}
