package dev.rondo.connect.postgres.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rondo.connect.postgres.config.PostgresSinkConfig;
import dev.rondo.connect.postgres.harness.Records;
import dev.rondo.connect.postgres.harness.TaskContext;
import dev.rondo.connect.postgres.harness.TestDatabase;
import dev.rondo.connect.postgres.harness.TlsOnly;
import dev.rondo.embedded.secured.Authority;
import dev.rondo.schemas.SeriesEntry;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Driver;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server that lets the sink in by TLS only, and asks for a SCRAM password or a certificate. */
class TlsIT {
  @TempDir static Path dir;
  private static Authority authority;
  private static TestDatabase database;
  private static TlsOnly server;

  @BeforeAll
  static void start() throws Exception {
    authority = new Authority(Files.createDirectory(dir.resolve("authority")));
    authority.sign("server", "-ext", "san=dns:localhost");
    authority.sign(TlsOnly.USER_WITH_CERTIFICATE);
    database = TestDatabase.ofOwnServer();
    server = new TlsOnly(database, authority);
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @Test
  void shouldWriteByTlsAndPassword() {
    shouldWrite(server.taskConfig(server.url("localhost", verifyFull(authority))));
  }

  @Test
  void shouldWriteByTlsAndCertificate() {
    String name = TlsOnly.USER_WITH_CERTIFICATE;
    String certificate =
        "&sslcert=%s&sslkey=%s".formatted(authority.certificateFile(name), authority.keyFile(name));
    shouldWrite(
        Map.of(
            "connection.url",
            server.url("localhost", verifyFull(authority) + certificate),
            "connection.user",
            name));
  }

  /** With nothing but the JDK and what the plugin brings. */
  @Test
  void shouldBringAllThatTlsAndScramNeed() throws Exception {
    try (Stream<Path> files = Files.walk(Path.of("target", "plugin"));
        var plugin =
            new URLClassLoader(
                files
                    .filter(file -> file.toString().endsWith(".jar"))
                    .map(TlsIT::url)
                    .toArray(URL[]::new),
                ClassLoader.getPlatformClassLoader())) {
      var driver =
          (Driver) plugin.loadClass("org.postgresql.Driver").getDeclaredConstructor().newInstance();
      var properties = new Properties();
      properties.setProperty("user", TlsOnly.USER);
      properties.setProperty("password", TlsOnly.PASSWORD);
      String url = server.url("localhost", verifyFull(authority));
      try (var connection = driver.connect(url, properties)) {
        assertThat(connection.isValid(10)).isTrue();
      }
    }
  }

  @Test
  void shouldRefuseServerOfAnotherAuthority() throws Exception {
    var another = new Authority(Files.createDirectory(dir.resolve("another")));
    shouldFail(server.url("localhost", verifyFull(another)), "08006", "SSL error", "PKIX path");
  }

  @Test
  void shouldRefuseServerOfAnotherName() {
    shouldFail(
        server.url("127.0.0.1", verifyFull(authority)),
        "08006",
        "hostname 127.0.0.1 could not be verified");
  }

  @Test
  void shouldNameMissingCertificateFile() {
    shouldFail(
        server.url("localhost", "sslmode=verify-full&sslrootcert=/nowhere/root.crt"),
        "08006",
        "Could not open SSL root certificate file /nowhere/root.crt");
  }

  @Test
  void shouldBeRefusedWithoutTls() {
    shouldFail(server.url("localhost", "sslmode=disable"), "28000", "pg_hba.conf", "no encryption");
  }

  @Test
  void shouldBeRefusedWithAnotherPassword() {
    var config =
        Map.of(
            "connection.url",
            server.url("localhost", verifyFull(authority)),
            "connection.user",
            TlsOnly.USER,
            "connection.password",
            "another");
    shouldFail(config, "28P01", "password authentication failed for user \"tls_sink\"");
  }

  private static String verifyFull(Authority authority) {
    return "sslmode=verify-full&sslrootcert=" + authority.certificateFile("ca");
  }

  private static void shouldWrite(Map<String, String> config) {
    TestDatabase.ofOwnServer();
    var task = TaskContext.start(config, new TaskContext(false));
    try {
      task.put(List.of(Records.series(new SeriesEntry("a", "p", 0, 1, 5L, "", "", 0L))));
      assertThat(database.query("select ident ->> 'name' from ds")).containsExactly("a");
      assertThat(
              database.query(
                  "select usename, ssl from pg_stat_ssl join pg_stat_activity using (pid)"
                      + " where application_name = 'rondo-postgres-sink'"))
          .containsExactly(config.get("connection.user") + "|t");
    } finally {
      task.stop();
    }
  }

  private static void shouldFail(String url, String state, String... parts) {
    shouldFail(server.taskConfig(url), state, parts);
  }

  private static void shouldFail(Map<String, String> config, String state, String... parts) {
    try (var connection = new Database(PostgresSinkConfig.of(config))) {
      assertThatThrownBy(connection::connection)
          .isInstanceOfSatisfying(
              SQLException.class,
              e -> {
                assertThat(e.getSQLState()).isEqualTo(state);
                assertThat(e.getMessage() + " " + e.getCause()).contains(parts);
              });
    }
  }

  private static URL url(Path file) {
    try {
      return file.toUri().toURL();
    } catch (MalformedURLException e) {
      throw new AssertionError(e);
    }
  }
}
