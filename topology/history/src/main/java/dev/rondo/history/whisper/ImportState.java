package dev.rondo.history.whisper;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.nio.file.StandardOpenOption.APPEND;
import static java.nio.file.StandardOpenOption.CREATE;

import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/**
 * Which segments an import has written, in a file: an import that was killed goes on from there. A
 * line is a segment and the state that its files had:
 *
 * <pre>
 *   default/65536 5f0c2ab4e2f1
 * </pre>
 */
final class ImportState implements AutoCloseable {
  private final Map<String, String> done = new HashMap<>();
  private final Writer file;

  private ImportState(Writer file) {
    this.file = file;
  }

  /** Reads the file, which is created if it is missing. A line that was cut off has no effect. */
  static ImportState open(Path path) throws IOException {
    String text = Files.exists(path) ? Files.readString(path, UTF_8) : "";
    var state = new ImportState(Files.newBufferedWriter(path, UTF_8, CREATE, APPEND));
    text.substring(0, text.lastIndexOf('\n') + 1)
        .lines()
        .map(line -> line.split(" ", 2))
        .filter(words -> words.length == 2)
        .forEach(words -> state.done.put(words[0], words[1]));
    if (!text.isEmpty() && !text.endsWith("\n")) {
      state.file.write(" cut off%n".formatted()); // such a state no segment has
    }
    return state;
  }

  /** Whether the segment was written, from files in whatever state. */
  boolean has(String segment) {
    return done.containsKey(segment);
  }

  /** Whether the segment was written from files in this state. */
  boolean isDone(String segment, String stateOfFiles) {
    return stateOfFiles.equals(done.get(segment));
  }

  /** Records that the segment is written. */
  synchronized void finish(String segment, String stateOfFiles) throws IOException {
    file.write("%s %s%n".formatted(segment, stateOfFiles));
    file.flush();
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
