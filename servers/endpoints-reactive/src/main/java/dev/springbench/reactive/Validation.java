package dev.springbench.reactive;

import dev.springbench.common.Validators;
import org.springframework.core.env.Environment;
import org.springframework.stereotype.Component;
import org.springframework.validation.Validator;
import org.springframework.web.reactive.config.WebFluxConfigurer;

/** Without {@code springbench.validation} WebFlux starts no validator of its own either. */
@Component
class Validation implements WebFluxConfigurer {

    private final Validator validator;

    Validation(Environment environment) {
        this.validator = Validators.of(environment);
    }

    @Override
    public Validator getValidator() {
        return validator;
    }
}
