package dev.rondo.tools.command;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** Data folder of {@code ./rondo up}. */
public final class DataFolder {
  private DataFolder() {}

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
}
