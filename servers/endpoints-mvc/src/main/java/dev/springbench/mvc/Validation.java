package dev.springbench.mvc;

import dev.springbench.common.ValidationSwitch;
import org.springframework.core.env.Environment;
import org.springframework.stereotype.Component;
import org.springframework.validation.Validator;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

/** Without {@code springbench.validation} MVC starts no validator of its own either. */
@Component
class Validation implements WebMvcConfigurer {

    private final boolean on;

    Validation(Environment environment) {
        this.on = ValidationSwitch.isOn(environment);
    }

    @Override
    public Validator getValidator() {
        return on ? null : ValidationSwitch.NONE;
    }
}
