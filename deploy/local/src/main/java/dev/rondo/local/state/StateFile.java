package dev.rondo.local.state;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import dev.rondo.local.settings.Home;
import dev.rondo.local.settings.UserError;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;

/** Reads and writes {@code rondo.json}. Each write replaces the file atomically. */
public final class StateFile {
  private static final ObjectMapper JSON =
      new ObjectMapper()
          .enable(SerializationFeature.INDENT_OUTPUT)
          .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES);

  private StateFile() {}

  /** Returns the state; empty without a file. Throws {@link UserError} if it cannot be read. */
  public static Optional<State> read(Home home) {
    try {
      return Optional.of(JSON.readValue(Files.readString(home.stateFile()), State.class));
    } catch (NoSuchFileException e) {
      return Optional.empty();
    } catch (IOException e) {
      throw new UserError(
          "%s cannot be read (%s); remove it if no Rondo runs in this folder"
              .formatted(home.stateFile(), e.getMessage().lines().findFirst().orElse("")));
    }
  }

  /** Writes a file that only its owner can read: it may contain a password. */
  public static void write(Home home, State state) {
    Path file = home.stateFile();
    Path unfinished = file.resolveSibling("rondo.json.new");
    try {
      Files.writeString(unfinished, toJson(state));
      Files.setPosixFilePermissions(unfinished, PosixFilePermissions.fromString("rw-------"));
      Files.move(
          unfinished, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      throw new UncheckedIOException("could not write " + file, e);
    }
  }

  public static String toJson(State state) {
    try {
      return JSON.writeValueAsString(state) + System.lineSeparator();
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }
}
