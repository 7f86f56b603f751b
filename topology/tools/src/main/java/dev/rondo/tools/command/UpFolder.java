package dev.rondo.tools.command;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.rondo.connection.postgres.PostgresUrl;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** Data folder of {@code ./rondo up}. */
public final class UpFolder {
  private UpFolder() {}

  /**
   * The folder.
   *
   * @param dir as given; null: {@code .rondo} in the clone, which the script ./rondo names
   */
  public static Optional<Path> path(Path dir) {
    return Optional.ofNullable(dir)
        .or(
            () ->
                Optional.ofNullable(System.getProperty("rondo.root"))
                    .map(root -> Path.of(root, ".rondo")));
  }

  /** What {@code ./rondo up} writes of itself, rondo.json; a missing node without the file. */
  public static JsonNode state(Path folder) throws IOException {
    Path file = folder.resolve("rondo.json");
    return Files.isReadable(file)
        ? new ObjectMapper().readTree(file.toFile())
        : MissingNode.getInstance();
  }

  /** The same, with an address of PostgreSQL. */
  static JsonNode running(Optional<Path> home) throws IOException {
    Path folder =
        home.orElseThrow(() -> CommandException.misuse("the database is missing (--postgres)"));
    JsonNode up = state(folder);
    if (up.path("postgres").asText("").isEmpty()) {
      throw CommandException.misuse(
          "there is no Rondo in %s (--dir, --postgres)".formatted(folder));
    }
    return up;
  }

  /**
   * Its database, for a user of the server that {@code ./rondo up} runs; the user of another server
   * is the one that its URL names.
   *
   * @param dir as of {@link #path}
   */
  public static PostgresUrl postgres(Path dir, String user) throws IOException {
    JsonNode up = running(path(dir));
    var postgres = PostgresUrl.parse(up.path("postgres").asText());
    return up.path("parts").has("postgres") ? postgres.as(user) : postgres;
  }
}
