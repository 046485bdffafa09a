package dev.springbench.database;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Set;

/** A PostgreSQL of our own, its data kept in a folder between runs. Works as root too, in a user namespace. */
final class Embedded implements AutoCloseable {

    private static final Duration STARTUP = Duration.ofSeconds(60);
    private static final Duration LEFTOVER = Duration.ofSeconds(15);
    static final String LOOPBACK = "127.0.0.1";
    static final String OWNER = "postgres";
    private static final Set<PosixFilePermission> OWNER_ALONE = PosixFilePermissions.fromString("rwx------");

    private final EmbeddedPostgres postgres;
    private final Path data;
    private final Login login;
    private final FileChannel lock;

    private Embedded(EmbeddedPostgres postgres, Path data, Login login, FileChannel lock) {
        this.postgres = postgres;
        this.data = data;
        this.login = login;
        this.lock = lock;
    }

    /**
     * @param folder for nothing but this; each layout of the data has a folder of its own in it
     * @param reader whom it listens for beside its owner
     */
    static Embedded start(Path folder, String layout, int port, int maxConnections, Reader reader)
            throws Unusable, InterruptedException {
        try {
            Files.createDirectories(folder);
            // the library lets everybody write where it unpacks the programs that are run from here
            Files.setPosixFilePermissions(folder, OWNER_ALONE);
            FileChannel lock = lock(folder);
            Path data = folder.resolve(layout);
            stopLeftovers(folder);
            checkFree(port);
            Login owner = new Login(LOOPBACK + ":" + port + "/" + OWNER, OWNER, Access.newPassword());
            return new Embedded(postgres(folder, data, port, maxConnections, owner, reader), data, owner, lock);
        } catch (IOException | RuntimeException failure) {
            throw Unusable.cannotRun(
                    "PostgreSQL cannot be started in " + folder + ": " + failure.getMessage()
                            + (isRoot() ? " (root needs `unshare -U` to work here; else run as a user, or" : " (or")
                            + " set SPRINGBENCH_DB_URL to a server that runs)",
                    failure);
        }
    }

    /** Else whoever listens there would be taken for ours, and written to. */
    private static void checkFree(int port) throws IOException {
        try (ServerSocket free = new ServerSocket()) {
            free.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        } catch (BindException taken) {
            throw new IOException("port " + port + " is taken; --port names another", taken);
        }
    }

    int port() {
        return postgres.getPort();
    }

    Login login() {
        return login;
    }

    /** Returns when it has ended by itself. */
    void awaitEnd() throws IOException, InterruptedException {
        Postmaster running = Postmaster.of(data).orElse(null);
        if (running != null) {
            running.awaitEnd();
        }
    }

    @Override
    public void close() throws IOException {
        try {
            postgres.close();
        } finally {
            lock.close();
        }
    }

    private static EmbeddedPostgres postgres(
            Path folder, Path data, int port, int maxConnections, Login owner, Reader reader) throws IOException {
        Path binaries = folder.resolve("binaries");
        String listen = reader.listen().getHostAddress();
        return EmbeddedPostgres.builder()
                .setOverrideWorkingDirectory(binaries.toFile())
                .setDataDirectory(data)
                .setDataDirectoryCustomizer(made -> restrict(binaries, made.toPath(), owner, reader))
                .setConnectConfig("password", owner.password())
                .setCleanDataDirectory(false)
                .setPort(port)
                .setPGStartupWait(STARTUP)
                .setOutputRedirector(
                        Redirect.to(folder.resolve("postgresql.log").toFile()))
                .setErrorRedirector(
                        Redirect.to(folder.resolve("postgresql-errors.log").toFile()))
                .setServerConfig("listen_addresses", LOOPBACK.equals(listen) ? LOOPBACK : LOOPBACK + "," + listen)
                .setServerConfig("max_connections", String.valueOf(maxConnections))
                .setServerConfig("shared_buffers", "256MB")
                .setServerConfig("max_wal_size", "4GB")
                // seeding writes each row once; nothing is replicated from here
                .setServerConfig("wal_level", "minimal")
                .setServerConfig("max_wal_senders", "0")
                // nothing changes after seeding, and nothing may wake up during a measurement
                .setServerConfig("autovacuum", "off")
                .setServerConfig("jit", "off")
                .setServerConfig("shared_preload_libraries", StatsServer.COUNTER)
                .start();
    }

    private static void restrict(Path binaries, Path data, Login owner, Reader reader) {
        try {
            Access.restrict(binaries, data, owner.password(), reader);
        } catch (IOException | SQLException failure) {
            throw new IllegalStateException(failure.getMessage(), failure);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("stopped", stopped);
        }
    }

    /** Held until this process ends, however it ends. */
    private static FileChannel lock(Path folder) throws IOException {
        FileChannel channel =
                FileChannel.open(folder.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        FileLock lock = channel.tryLock();
        if (lock == null) {
            channel.close();
            throw new IOException("another launcher uses this folder");
        }
        return channel;
    }

    /** A launcher that was killed outright leaves its server behind; nobody holds the lock then. */
    private static void stopLeftovers(Path folder) throws IOException, InterruptedException {
        try (DirectoryStream<Path> layouts = Files.newDirectoryStream(folder, Files::isDirectory)) {
            for (Path layout : layouts) {
                stopLeftover(layout);
            }
        }
    }

    private static void stopLeftover(Path data) throws IOException, InterruptedException {
        Postmaster leftover = Postmaster.of(data).orElse(null);
        if (leftover != null && !leftover.stop(LEFTOVER)) {
            throw new IOException(
                    "a PostgreSQL of an earlier run (pid " + leftover.process().pid() + ") does not end; stop it");
        }
    }

    private static boolean isRoot() {
        return "root".equals(System.getProperty("user.name"));
    }
}
