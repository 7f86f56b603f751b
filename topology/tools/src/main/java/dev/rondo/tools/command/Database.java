package dev.rondo.tools.command;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.rondo.connection.postgres.PostgresUrl;
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

  /**
   * Database of the Rondo in a data folder, for a user of the server that {@code ./rondo up} runs;
   * the user of another server is the one that its URL names.
   *
   * @param dir data folder of {@code ./rondo up}; null: {@code .rondo} in the clone
   */
  public static PostgresUrl of(Path dir, String user) throws IOException {
    JsonNode up = up(dir);
    var postgres = PostgresUrl.parse(up.path("postgres").asText());
    return up.path("parts").has("postgres") ? postgres.as(user) : postgres;
  }

  private static String url(String url, Path dir) throws IOException {
    if (url != null) {
      return url;
    }
    String variable = System.getenv(VARIABLE);
    return dir == null && variable != null ? variable : up(dir).path("postgres").asText();
  }

  /** What {@code ./rondo up} tells of itself. */
  private static JsonNode up(Path dir) throws IOException {
    String root = System.getProperty("rondo.root");
    if (dir == null && root == null) {
      throw CommandException.misuse("the database is missing (--postgres)");
    }
    Path file = (dir == null ? Path.of(root, ".rondo") : dir).resolve("rondo.json");
    JsonNode up =
        Files.isReadable(file)
            ? new ObjectMapper().readTree(file.toFile())
            : MissingNode.getInstance();
    if (up.path("postgres").asText("").isEmpty()) {
      throw CommandException.misuse(
          "there is no Rondo in %s (--dir, --postgres)".formatted(file.getParent()));
    }
    return up;
  }
}
