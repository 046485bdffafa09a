package dev.springbench.mvc;

import dev.springbench.common.Tokens;
import java.util.Map;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.MediaType;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configurers.AbstractHttpConfigurer;
import org.springframework.security.config.http.SessionCreationPolicy;
import org.springframework.security.oauth2.jwt.JwtDecoder;
import org.springframework.security.oauth2.jwt.NimbusJwtDecoder;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/** With {@code springbench.security} orders are for those with a token: a JWT resource server without sessions. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnProperty(name = "springbench.security", havingValue = "true")
class Security {

    @Bean
    Tokens tokens() {
        return new Tokens();
    }

    @Bean
    JwtDecoder decoder(Tokens tokens) {
        return NimbusJwtDecoder.withPublicKey(tokens.publicKey()).build();
    }

    @Bean
    SecurityFilterChain chain(HttpSecurity http) throws Exception {
        return http.authorizeHttpRequests(requests -> requests.requestMatchers("/orders", "/orders/**")
                        .hasAuthority("SCOPE_orders")
                        .anyRequest()
                        .permitAll())
                .oauth2ResourceServer(server -> server.jwt(Customizer.withDefaults()))
                .sessionManagement(sessions -> sessions.sessionCreationPolicy(SessionCreationPolicy.STATELESS))
                .csrf(AbstractHttpConfigurer::disable)
                .build();
    }

    @RestController
    @ConditionalOnProperty(name = "springbench.security", havingValue = "true")
    static class TokenRoutes {

        private final Tokens tokens;

        TokenRoutes(Tokens tokens) {
            this.tokens = tokens;
        }

        @PostMapping(path = "/token", produces = MediaType.APPLICATION_JSON_VALUE)
        Map<String, String> token() {
            return tokens.issue();
        }
    }
}
