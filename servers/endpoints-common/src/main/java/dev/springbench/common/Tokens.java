package dev.springbench.common;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.NoSuchAlgorithmException;
import java.security.interfaces.RSAPublicKey;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.Map;

/** Stands for whoever issues tokens: signs them with a key that lives as long as the process. */
public final class Tokens {

    private static final int KEY_BITS = 2_048;
    private static final Duration LIFETIME = Duration.ofDays(1);

    private final KeyPair keys;

    public Tokens() {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
            generator.initialize(KEY_BITS);
            keys = generator.generateKeyPair();
        } catch (NoSuchAlgorithmException missing) {
            throw new IllegalStateException(missing);
        }
    }

    public RSAPublicKey publicKey() {
        return (RSAPublicKey) keys.getPublic();
    }

    /** @return the document behind {@code POST /token} */
    public Map<String, String> issue() {
        Instant now = Instant.now();
        JWTClaimsSet claims = new JWTClaimsSet.Builder()
                .subject("bench")
                .claim("scope", "orders")
                .issueTime(Date.from(now))
                .expirationTime(Date.from(now.plus(LIFETIME)))
                .build();
        SignedJWT token = new SignedJWT(new JWSHeader(JWSAlgorithm.RS256), claims);
        try {
            token.sign(new RSASSASigner(keys.getPrivate()));
        } catch (JOSEException failure) {
            throw new IllegalStateException(failure);
        }
        return Map.of("access_token", token.serialize());
    }
}
