package dev.springbench.mvc;

import dev.springbench.common.Validators;
import org.springframework.core.env.Environment;
import org.springframework.stereotype.Component;
import org.springframework.validation.Validator;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

/** Without {@code springbench.validation} MVC starts no validator of its own either. */
@Component
class Validation implements WebMvcConfigurer {

    private final Validator validator;

    Validation(Environment environment) {
        this.validator = Validators.of(environment);
    }

    @Override
    public Validator getValidator() {
        return validator;
    }
}
