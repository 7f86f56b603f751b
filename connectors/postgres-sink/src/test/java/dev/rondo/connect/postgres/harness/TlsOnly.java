package dev.rondo.connect.postgres.harness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.rondo.embedded.secured.Authority;
import java.time.Duration;
import java.util.Map;

/**
 * Users that a test's server admits only by TLS: {@code tls_sink} by a SCRAM password, {@code
 * tls_certificate} by a certificate of the server's authority. For other users nothing changes.
 */
public final class TlsOnly implements AutoCloseable {
  public static final String USER = "tls_sink";
  public static final String PASSWORD = "pässword 'of' a test";
  public static final String USER_WITH_CERTIFICATE = "tls_certificate";

  private static final String RULES =
      """
      hostssl   all tls_sink        all scram-sha-256
      hostnossl all tls_sink        all reject
      hostssl   all tls_certificate all cert
      hostnossl all tls_certificate all reject
      """;

  private final TestDatabase database;

  /**
   * Turns TLS on in {@code database} and creates the users.
   *
   * @param authority has signed {@code server}
   */
  public TlsOnly(TestDatabase database, Authority authority) {
    this.database = database;
    write("server.crt", authority.certificate("server"));
    write("server.key", authority.key("server"));
    write("root.crt", authority.certificate("ca"));
    database.execute(
        "copy (select unnest(string_to_array('%s', e'\\n'))) to program 'cat - pg_hba.conf > new.conf; cp pg_hba.conf old.conf; mv new.conf pg_hba.conf'"
            .formatted(RULES.strip()));
    database.execute("create role tls_sink login password '%s'".formatted(quoted(PASSWORD)));
    database.execute("create role tls_certificate login");
    database.execute(
        "grant select, insert, update, delete on ds, location_period, ts, rra_bundle, applied_offset, event to tls_sink, tls_certificate");
    database.execute("alter system set ssl_ca_file = 'root.crt'");
    setSsl("on");
  }

  /** JDBC URL of the server under the name {@code host}; {@code more}: parameters. */
  public String url(String host, String more) {
    return database.jdbcUrl().replace("127.0.0.1", host).replace("user=rondo", more);
  }

  /** Restores the server's settings. */
  @Override
  public void close() {
    database.execute("copy (select 1) to program 'cat > old.log; mv old.conf pg_hba.conf'");
    database.execute("alter system reset ssl_ca_file");
    setSsl("off");
    database.execute("drop owned by tls_sink, tls_certificate");
    database.execute("drop role tls_sink; drop role tls_certificate");
  }

  private void setSsl(String state) {
    database.execute("alter system set ssl = '%s'".formatted(state));
    database.query("select pg_reload_conf()");
    await()
        .atMost(Duration.ofMinutes(3))
        .untilAsserted(() -> assertThat(database.query("show ssl")).containsExactly(state));
  }

  /** A file of the server's data folder, which only its user may read. */
  private void write(String name, String text) {
    database.execute(
        "copy (select unnest(string_to_array('%s', e'\\n'))) to program 'umask 077; cat > %s'"
            .formatted(text, name));
  }

  private static String quoted(String text) {
    return text.replace("'", "''");
  }

  /** Config of a task by password. */
  public Map<String, String> taskConfig(String url) {
    return Map.of("connection.url", url, "connection.user", USER, "connection.password", PASSWORD);
  }
}
