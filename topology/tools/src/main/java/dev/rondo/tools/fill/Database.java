package dev.rondo.tools.fill;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.rondo.schemas.postgres.PostgresUrl;
import dev.rondo.tools.command.CommandException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;

/** Connects to the PostgreSQL of a Rondo. */
public final class Database {
  private static final String VARIABLE = "RONDO_FILL_DATABASE_URL";
  private static final int SILENCE_MS = 120_000; // after which the server is considered dead

  private Database() {}

  /**
   * Connects to the database.
   *
   * @param url {@code postgresql://USER[:PASSWORD]@HOST:PORT/DATABASE}; null: that of {@code dir}
   * @param dir data folder of {@code ./rondo up}; null: RONDO_FILL_DATABASE_URL, or else {@code
   *     .rondo} in the clone
   */
  public static Connection connect(String url, Path dir) throws IOException, SQLException {
    Connection connection = PostgresUrl.parse(url(url, dir)).connect("rondo-fill");
    connection.setNetworkTimeout(Runnable::run, SILENCE_MS);
    return connection;
  }

  private static String url(String url, Path dir) throws IOException {
    if (url != null) {
      return url;
    }
    String variable = System.getenv(VARIABLE);
    if (dir == null && variable != null) {
      return variable;
    }
    String root = System.getProperty("rondo.root");
    if (dir == null && root == null) {
      throw CommandException.misuse("the database is missing (--postgres)");
    }
    Path state = (dir == null ? Path.of(root, ".rondo") : dir).resolve("rondo.json");
    String stored =
        Files.isReadable(state)
            ? new ObjectMapper().readTree(state.toFile()).path("postgres").asText("")
            : "";
    if (stored.isEmpty()) {
      throw CommandException.misuse(
          "there is no Rondo in %s (--dir, --postgres)".formatted(state.getParent()));
    }
    return stored;
  }
}
