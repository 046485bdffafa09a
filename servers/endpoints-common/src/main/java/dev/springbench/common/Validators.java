package dev.springbench.common;

import java.util.List;
import java.util.stream.Collectors;
import org.springframework.core.env.Environment;
import org.springframework.validation.Errors;
import org.springframework.validation.FieldError;
import org.springframework.validation.Validator;

/** What looks at documents, and what is said of those that break a rule. */
public final class Validators {

    /** Takes all for valid. */
    private static final Validator NONE = new Validator() {
        @Override
        public boolean supports(Class<?> type) {
            return true;
        }

        @Override
        public void validate(Object target, Errors errors) {
            // nothing is looked at
        }
    };

    private Validators() {}

    /** @return null for the one that Spring starts */
    public static Validator of(Environment environment) {
        return FeatureSwitch.isOn(environment, "validation") ? null : NONE;
    }

    /** @return what is said of a document that breaks rules, the same on every server */
    public static String said(List<FieldError> errors) {
        return errors.stream()
                .map(error -> error.getField() + " " + error.getDefaultMessage())
                .sorted()
                .collect(Collectors.joining("; "));
    }
}
