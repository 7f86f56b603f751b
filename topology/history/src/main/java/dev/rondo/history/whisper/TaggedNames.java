package dev.rondo.history.whisper;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.rondo.tools.command.CommandException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Reads names of tagged series: one a line, or a JSON array as of graphite-web's /tags/findSeries.
 */
final class TaggedNames {
  private TaggedNames() {}

  static List<String> read(Path file) throws IOException {
    if (!Files.isReadable(file)) {
      throw CommandException.misuse("there is no readable file %s (--names)".formatted(file));
    }
    String text = Files.readString(file, UTF_8).strip();
    if (!text.startsWith("[")) {
      return text.lines().map(String::strip).filter(line -> !line.isEmpty()).toList();
    }
    try {
      return List.of(new ObjectMapper().readValue(text, String[].class));
    } catch (JsonProcessingException e) {
      throw CommandException.misuse(
          "%s is not a JSON array of names: %s (--names)".formatted(file, e.getOriginalMessage()));
    }
  }
}
