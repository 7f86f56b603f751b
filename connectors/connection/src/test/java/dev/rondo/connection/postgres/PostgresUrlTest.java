package dev.rondo.connection.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.List;
import org.apache.kafka.common.config.ConfigException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PostgresUrlTest {
  @Test
  void shouldReadAllParts() {
    var url = PostgresUrl.parse("postgresql://me:p%40ss+1@db.example:6432/metrics?sslmode=require");
    assertThat(url.jdbcUrl())
        .isEqualTo(
            "jdbc:postgresql://db.example:6432/metrics?sslmode=require&requireAuth=!password,!md5");
    assertThat(url.user()).isEqualTo("me");
    assertThat(url.password()).isEqualTo("p@ss+1");
    assertThat(url.shown())
        .isEqualTo("postgresql://me:***@db.example:6432/metrics?sslmode=require");
  }

  @Test
  void shouldFillInPortAndEmptyPassword() {
    var url = PostgresUrl.parse("postgres://me@db/metrics");
    assertThat(url.jdbcUrl()).isEqualTo("jdbc:postgresql://db:5432/metrics");
    assertThat(url.password()).isEmpty();
    assertThat(url.shown()).isEqualTo("postgres://me@db/metrics");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "db",
        "mysql://me@db/metrics",
        "postgresql://db/metrics",
        "postgresql://me@db",
        "postgresql://me@db/",
        "a b"
      })
  void shouldRejectOtherForms(String url) {
    assertThatThrownBy(() -> PostgresUrl.parse(url))
        .isInstanceOf(ConfigException.class)
        .hasMessage("'%s' is not postgresql://USER@HOST:PORT/DATABASE (--postgres)".formatted(url));
  }

  @Test
  void shouldNameTheServerThatDoesNotAnswer() throws IOException {
    try (var silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      var url =
          "postgresql://me:secret@127.0.0.1:%d/metrics?loginTimeout=1"
              .formatted(silent.getLocalPort());
      assertThatThrownBy(() -> PostgresUrl.parse(url).connect("test"))
          .isInstanceOf(SQLException.class)
          .hasMessage(
              "Connection to %s timed out (loginTimeout in its URL, otherwise 30 s)"
                  .formatted(url.replace("secret", "***")));
    }
  }

  @Test
  void shouldReadThePasswordOfEachUserFromAFile(@TempDir Path dir) throws IOException {
    Path file = dir.resolve("pass words");
    var passwords = new LinkedHashMap<String, String>();
    passwords.put("me", "a:b\\c");
    passwords.put("other", "o");
    PasswordFile.write(file, PostgresUrl.parse("postgresql://me@db/metrics"), passwords);
    assertThat(Files.getPosixFilePermissions(file))
        .isEqualTo(PosixFilePermissions.fromString("rw-------"));

    var url = PostgresUrl.parse("postgresql://me:old@db/metrics?sslmode=require").with(file);
    assertThat(url.password()).isEqualTo("a:b\\c");
    assertThat(url.url()).doesNotContain("old").endsWith("/pass%20words");
    assertThat(url.passwordFile()).contains(file);
    assertThat(url.jdbcUrl()).startsWith("jdbc:postgresql://db:5432/metrics?sslmode=require&");
    assertThat(url.as("other").password()).isEqualTo("o");
    assertThat(url.as("nobody").password()).isEmpty();
    assertThat(Files.readAllLines(file))
        .containsExactly("db:5432:metrics:me:a\\:b\\\\c", "db:5432:metrics:other:o");
    for (String elsewhere : List.of("db:5433/metrics", "db2/metrics", "db/other")) {
      assertThat(PostgresUrl.parse("postgresql://me@" + elsewhere).with(file).password()).isEmpty();
    }
    assertThat(PasswordFile.byUser(file)).isEqualTo(passwords);
  }

  @Test
  void shouldTranslateAuthenticationParameters() {
    var url =
        PostgresUrl.parse(
            "postgresql://me:p@db/metrics?require_auth=md5&sslmode=require&channel_binding=require");
    assertThat(url.jdbcUrl())
        .endsWith("/metrics?requireAuth=md5&sslmode=require&channelBinding=require");
    assertThat(url.requiredAuth()).isEqualTo("md5");
    assertThat(url.withoutAuth().url())
        .endsWith("/metrics?sslmode=require&channel_binding=require");
    var last = PostgresUrl.parse("postgresql://me@db/metrics?sslmode=require&require_auth=md5");
    assertThat(last.withoutAuth().url()).endsWith("/metrics?sslmode=require");
    assertThat(last.withoutAuth().requiredAuth()).isEqualTo(PostgresUrl.NEVER_SENT);
  }

  @Test
  void shouldReplaceTheFileOfPasswords(@TempDir Path dir) {
    var url =
        PostgresUrl.parse("postgresql://me@db/metrics")
            .with(dir.resolve("a"))
            .with(dir.resolve("b"));
    assertThat(url.passwordFile()).contains(dir.resolve("b"));
    assertThat(url.url()).containsOnlyOnce("passfile=");
  }

  @Test
  void shouldPreferTheFirstLineThatMatches(@TempDir Path dir) throws IOException {
    Path file = dir.resolve("pgpass");
    Files.writeString(
        file, "# host:port:database:user:password\ndb:1:*:me:1\n*:2:m:*:2\nother:*:*:*:3\n");
    var url = "postgresql://me@%s/%s?passfile=" + file;
    assertThat(PostgresUrl.parse(url.formatted("db:1", "x")).password()).isEqualTo("1");
    assertThat(PostgresUrl.parse(url.formatted("db:2", "m")).password()).isEqualTo("2");
    assertThat(PostgresUrl.parse(url.formatted("other:2", "x")).password()).isEqualTo("3");
    assertThat(PostgresUrl.parse(url.formatted("db:2", "x")).password()).isEmpty();
  }

  @Test
  void shouldNotShowThePasswordAsText() {
    assertThat(PostgresUrl.parse("postgresql://me:secret@db/x").toString())
        .isEqualTo("postgresql://me:***@db/x");
  }

  @Test
  void shouldNotShowThePasswordOfAMalformedUrl() {
    assertThatThrownBy(() -> PostgresUrl.parse("postgresql://me:secret@db"))
        .hasMessageContaining("'postgresql://me:***@db'");
  }
}
