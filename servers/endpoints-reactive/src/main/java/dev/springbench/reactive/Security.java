package dev.springbench.reactive;

import dev.springbench.common.Tokens;
import java.util.Map;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.MediaType;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.reactive.EnableWebFluxSecurity;
import org.springframework.security.config.web.server.ServerHttpSecurity;
import org.springframework.security.oauth2.jwt.NimbusReactiveJwtDecoder;
import org.springframework.security.oauth2.jwt.ReactiveJwtDecoder;
import org.springframework.security.web.server.SecurityWebFilterChain;
import org.springframework.security.web.server.context.NoOpServerSecurityContextRepository;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;

/** With {@code springbench.security} orders are for those with a token: a JWT resource server without sessions. */
@Configuration(proxyBeanMethods = false)
@EnableWebFluxSecurity
@ConditionalOnProperty(name = "springbench.security", havingValue = "true")
class Security {

    @Bean
    Tokens tokens() {
        return new Tokens();
    }

    @Bean
    ReactiveJwtDecoder decoder(Tokens tokens) {
        return NimbusReactiveJwtDecoder.withPublicKey(tokens.publicKey()).build();
    }

    @Bean
    SecurityWebFilterChain chain(ServerHttpSecurity http) {
        return http.authorizeExchange(exchanges -> exchanges
                        .pathMatchers("/orders", "/orders/**")
                        .hasAuthority("SCOPE_orders")
                        .anyExchange()
                        .permitAll())
                .oauth2ResourceServer(server -> server.jwt(Customizer.withDefaults()))
                .securityContextRepository(NoOpServerSecurityContextRepository.getInstance())
                .csrf(ServerHttpSecurity.CsrfSpec::disable)
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
        Mono<Map<String, String>> token() {
            return Mono.fromSupplier(tokens::issue);
        }
    }
}
