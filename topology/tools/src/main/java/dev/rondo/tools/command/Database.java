package dev.rondo.tools.command;

import com.fasterxml.jackson.databind.JsonNode;
import dev.rondo.connection.postgres.PostgresUrl;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;

/** Connects to the PostgreSQL of a Rondo. */
public final class Database {
  private static final String VARIABLE = "RONDO_FILL_DATABASE_URL";
  private static final int SILENCE_MS = 120_000; // after which the server is considered dead

  private Database() {}

  /**
   * Connects to the database.
   *
   * @param application name of the session in pg_stat_activity
   * @param url {@code postgresql://USER[:PASSWORD]@HOST:PORT/DATABASE}; null: that of {@code dir}
   * @param dir data folder of {@code ./rondo up}; null: RONDO_FILL_DATABASE_URL, or else {@code
   *     .rondo} in the clone
   */
  public static Connection connect(String application, String url, Path dir)
      throws IOException, SQLException {
    return connect(application, url, dir, DataFolder.path(dir));
  }

  /** The same for the database of a topology; one that --config names has no data folder. */
  public static Connection connect(String application, String url, TopologySettings topology)
      throws IOException, SQLException {
    return connect(application, url, topology.dir(), topology.home());
  }

  private static Connection connect(String application, String url, Path dir, Optional<Path> home)
      throws IOException, SQLException {
    String named = url == null && dir == null ? System.getenv(VARIABLE) : url;
    String chosen = named == null ? up(home).path("postgres").asText() : named;
    Connection connection = PostgresUrl.parse(chosen).connect(application);
    connection.setNetworkTimeout(Runnable::run, SILENCE_MS);
    return connection;
  }

  /**
   * Database of the Rondo in a data folder, for a user of the server that {@code ./rondo up} runs;
   * the user of another server is the one that its URL names.
   *
   * @param dir data folder of {@code ./rondo up}; null: {@code .rondo} in the clone
   */
  public static PostgresUrl of(Path dir, String user) throws IOException {
    JsonNode up = up(DataFolder.path(dir));
    var postgres = PostgresUrl.parse(up.path("postgres").asText());
    return up.path("parts").has("postgres") ? postgres.as(user) : postgres;
  }

  /** What {@code ./rondo up} writes of itself, with an address of PostgreSQL. */
  private static JsonNode up(Optional<Path> home) throws IOException {
    Path folder =
        home.orElseThrow(() -> CommandException.misuse("the database is missing (--postgres)"));
    JsonNode up = DataFolder.state(folder);
    if (up.path("postgres").asText("").isEmpty()) {
      throw CommandException.misuse(
          "there is no Rondo in %s (--dir, --postgres)".formatted(folder));
    }
    return up;
  }
}
