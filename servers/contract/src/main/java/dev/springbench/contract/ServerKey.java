package dev.springbench.contract;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** A key for TLS, made as the harness makes it, and a client's trust in it. */
final class ServerKey {

    static final String PASSWORD = "springbench";

    private static ServerKey made;

    private final Path file;

    private ServerKey(Path file) {
        this.file = file;
    }

    /** @return the same for all tests of this JVM */
    static synchronized ServerKey get() {
        if (made == null) {
            made = make();
        }
        return made;
    }

    private static ServerKey make() {
        try {
            Path file = Files.createTempDirectory("key").resolve("server.p12");
            OwnProcess.run(
                    "keytool",
                    "-J-XX:TieredStopAtLevel=1",
                    "-genkeypair",
                    "-alias",
                    "server",
                    "-keyalg",
                    "EC",
                    "-groupname",
                    "secp256r1",
                    "-dname",
                    "CN=localhost",
                    "-ext",
                    "san=dns:localhost,ip:127.0.0.1",
                    "-keystore",
                    file.toString(),
                    "-storetype",
                    "PKCS12",
                    "-storepass",
                    PASSWORD);
            return new ServerKey(file);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** @return a property's value with its places filled in */
    String fill(String value) {
        return value.replace("{key_store_password}", PASSWORD).replace("{key_store}", file.toString());
    }

    SSLContext trust() {
        try (InputStream content = Files.newInputStream(file)) {
            KeyStore store = KeyStore.getInstance("PKCS12");
            store.load(content, PASSWORD.toCharArray());
            KeyStore trusted = KeyStore.getInstance("PKCS12");
            trusted.load(null, null);
            trusted.setCertificateEntry("server", store.getCertificate("server"));
            TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            factory.init(trusted);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, factory.getTrustManagers(), null);
            return context;
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        } catch (GeneralSecurityException failure) {
            throw new IllegalStateException("No TLS with this key", failure);
        }
    }
}
