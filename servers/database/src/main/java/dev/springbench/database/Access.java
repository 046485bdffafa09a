package dev.springbench.database;

import io.zonky.test.db.postgres.util.LinuxUtils;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.security.SecureRandom;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import org.postgresql.util.PasswordUtil;

/**
 * Who may connect to a PostgreSQL of our own: whoever has a password of this run, its owner included. Else every user
 * of the host were its superuser, who runs programs as the user who measures.
 */
final class Access {

    private static final int PASSWORD_BYTES = 24;
    private static final String METHOD = "scram-sha-256";

    private Access() {}

    static String newPassword() {
        byte[] random = new byte[PASSWORD_BYTES];
        new SecureRandom().nextBytes(random);
        return HexFormat.of().formatHex(random);
    }

    /** What PostgreSQL keeps of a password, so that no statement and no log of it has the password itself. */
    static String verifier(String user, String password) throws SQLException {
        return PasswordUtil.encodePassword(user, password.toCharArray(), METHOD);
    }

    /** Before it starts: {@code data} may be of a version that asked nobody for a password. */
    static void restrict(Path binaries, Path data, String ownerPassword, Reader reader)
            throws IOException, SQLException, InterruptedException {
        Files.write(data.resolve("pg_hba.conf"), rules(reader));
        alone(
                binaries,
                data,
                "alter role %s password '%s'".formatted(Embedded.OWNER, verifier(Embedded.OWNER, ownerPassword)));
    }

    private static List<String> rules(Reader reader) {
        int bits = 8 * reader.from().getAddress().length;
        return List.of(
                "local all all " + METHOD,
                "host all all " + Embedded.LOOPBACK + "/32 " + METHOD,
                "host all all ::1/128 " + METHOD,
                "host %s %s %s/%d %s"
                        .formatted(Embedded.OWNER, Reader.USER, reader.from().getHostAddress(), bits, METHOD));
    }

    /** One statement in PostgreSQL's single-user mode, which needs no password and listens for nobody. */
    static void alone(Path binaries, Path data, String statement) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        if (LinuxUtils.isUnshareAvailable()) {
            command.addAll(List.of("unshare", "-U"));
        }
        command.addAll(List.of(
                program(binaries).toString(),
                "--single",
                "-F",
                "-c",
                "exit_on_error=on",
                "-D",
                data.toString(),
                Embedded.OWNER));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        try (BufferedWriter in = process.outputWriter()) {
            in.write(statement + "\n");
        }
        List<String> said;
        try (Stream<String> lines = process.inputReader().lines()) {
            said = lines.toList();
        }
        if (process.waitFor() != 0) {
            throw new IOException("in single-user mode it says: " + String.join(" | ", said));
        }
    }

    /** The binaries are unpacked into a folder for each version; the newest is of this launcher. */
    private static Path program(Path binaries) throws IOException {
        try (Stream<Path> unpacked = Files.list(binaries)) {
            return unpacked.map(folder -> folder.resolve("bin/postgres"))
                    .filter(Files::isExecutable)
                    .max(Comparator.comparing(Access::unpackedAt))
                    .orElseThrow(() -> new IOException("no PostgreSQL was unpacked into " + binaries));
        }
    }

    private static FileTime unpackedAt(Path program) {
        try {
            return Files.getLastModifiedTime(program.getParent().getParent());
        } catch (IOException gone) {
            throw new UncheckedIOException(gone);
        }
    }
}
