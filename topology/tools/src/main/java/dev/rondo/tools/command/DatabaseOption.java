package dev.rondo.tools.command;

import dev.rondo.connection.postgres.PostgresUrl;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import picocli.CommandLine.Option;

/** Option that selects the PostgreSQL of a Rondo. */
public final class DatabaseOption {
  private static final String VARIABLE = "RONDO_FILL_DATABASE_URL";
  private static final int SILENCE_MS = 120_000; // after which the server is considered dead

  @Option(
      names = "--postgres",
      paramLabel = "URL",
      description =
          "PostgreSQL that ./rondo up did not start: postgresql://USER@HOST:PORT/DATABASE, with the"
              + " password in PGPASSWORD (default: RONDO_FILL_DATABASE_URL).")
  private String url;

  public boolean isGiven() {
    return url != null;
  }

  /**
   * Connects to the database.
   *
   * @param application name of the session in pg_stat_activity
   * @param dir data folder of {@code ./rondo up}, unless the option is given; null:
   *     RONDO_FILL_DATABASE_URL, or else {@code .rondo} in the clone
   */
  public Connection connect(String application, Path dir) throws IOException, SQLException {
    return connect(application, dir, UpFolder.path(dir));
  }

  /** The same for the database of a topology; one that --config names has no data folder. */
  public Connection connect(String application, TopologySettings topology)
      throws IOException, SQLException {
    return connect(application, topology.dir(), topology.home());
  }

  private Connection connect(String application, Path dir, Optional<Path> home)
      throws IOException, SQLException {
    String named = url == null && dir == null ? System.getenv(VARIABLE) : url;
    String chosen = named == null ? UpFolder.running(home).path("postgres").asText() : named;
    Connection connection = PostgresUrl.parse(chosen).connect(application);
    connection.setNetworkTimeout(Runnable::run, SILENCE_MS);
    return connection;
  }
}
