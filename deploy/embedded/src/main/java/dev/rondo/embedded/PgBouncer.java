package dev.rondo.embedded;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * A PgBouncer on 127.0.0.1 that pools transactions, in front of a {@link PostgresServer}. Unlike
 * the other servers, it must be installed on this machine.
 */
public final class PgBouncer extends Server {
  private static final String PROGRAM = "pgbouncer";
  private static final Duration START_BOUND = Duration.ofSeconds(30);

  private final Path settings;
  private final int poolSize;
  private final String[] users;

  private PgBouncer(ChildProcess child, Path settings, int port, int poolSize, String... users) {
    super(child, port);
    this.settings = settings;
    this.poolSize = poolSize;
    this.users = users;
  }

  public static boolean isInstalled() {
    return Commands.exists(PROGRAM);
  }

  /**
   * Starts it, logging to {@code dir/pgbouncer.log}, and waits until it answers.
   *
   * @param port 0: a free port
   * @param poolSize its connections to PostgreSQL for each user and database
   * @param users allowed without a password
   */
  public static PgBouncer start(
      Path dir, int port, int postgresPort, int poolSize, String... users) {
    int chosen = FreePort.orChosen(PROGRAM, port);
    Path settings = dir.toAbsolutePath().resolve("pgbouncer.ini");
    write(settings, chosen, postgresPort, poolSize, users);
    var child =
        ChildProcess.start(
            PROGRAM,
            RunAs.current().command(List.of(PROGRAM, settings.toString()), List.of(settings)),
            Map.of(),
            dir,
            Launch.to(dir.resolve("pgbouncer.log")));
    var pooler = new PgBouncer(child, settings, chosen, poolSize, users);
    child.awaitReady(START_BOUND, () -> pooler.answers(users[0]));
    return pooler;
  }

  /** URL for libpq and Python. */
  public String url(String user) {
    return "postgresql://%s@127.0.0.1:%d/rondo".formatted(user, port);
  }

  /** JDBC URL. */
  public String jdbcUrl(String user) {
    return "jdbc:postgresql://127.0.0.1:%d/rondo?user=%s".formatted(port, user);
  }

  /** Blocks new transactions; open ones continue to their end. */
  public void pause() throws IOException {
    int before = pauses();
    signal("USR1");
    child.awaitReady(START_BOUND, () -> pauses() > before);
  }

  private int pauses() throws IOException {
    return Files.readString(child.log()).split("SIGUSR1", -1).length;
  }

  /** Allows transactions again, on the PostgreSQL of another port. */
  public void resumeOn(int postgresPort) {
    write(settings, port, postgresPort, poolSize, users);
    signal("HUP");
    signal("USR2");
  }

  private void signal(String name) {
    Commands.run(List.of("kill", "-" + name, Long.toString(process().pid())));
  }

  private boolean answers(String user) throws SQLException {
    try (Connection connection = DriverManager.getConnection(jdbcUrl(user))) {
      return connection.isValid(2);
    }
  }

  private static void write(Path file, int port, int postgresPort, int poolSize, String... users) {
    Path userList = file.resolveSibling("users.txt");
    String text =
        """
        [databases]
        * = host=127.0.0.1 port=%d
        [pgbouncer]
        listen_addr = 127.0.0.1
        listen_port = %d
        unix_socket_dir =
        pool_mode = transaction
        default_pool_size = %d
        ignore_startup_parameters = extra_float_digits
        auth_type = trust
        auth_file = %s
        """
            .formatted(postgresPort, port, poolSize, userList);
    try {
      Files.createDirectories(file.getParent());
      Files.writeString(file, text);
      Files.write(userList, Arrays.stream(users).map("\"%s\" \"\""::formatted).toList());
    } catch (IOException e) {
      throw new UncheckedIOException("could not write the settings of PgBouncer", e);
    }
  }
}
