package dev.rondo.local;

import dev.rondo.connection.kafka.KafkaConnection;
import dev.rondo.connection.kafka.KafkaSettings;
import dev.rondo.connection.postgres.PostgresUrl;
import dev.rondo.local.settings.Home;
import dev.rondo.local.settings.UserError;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;

/** Checks before a start. Each throws a {@link UserError} with the remedy. */
final class Preflight {
  private static final String MIN_FREE_VARIABLE = "RONDO_MIN_FREE_MB";
  private static final long DEFAULT_MIN_FREE_MB = 1024;
  private static final int ANSWER_BOUND_SECONDS = 10;

  private Preflight() {}

  static void diskHasRoom(Home home) {
    long minMb = minFreeMb();
    try {
      long freeMb = Files.getFileStore(home.dir()).getUsableSpace() >> 20;
      if (freeMb < minMb) {
        throw new UserError(
            "%d MB free at %s, less than %d MB: free some space, choose another --dir, or lower %s"
                .formatted(freeMb, home.dir(), minMb, MIN_FREE_VARIABLE));
      }
    } catch (IOException e) {
      throw new UserError(
          "cannot read the free disk space of %s (--dir): %s"
              .formatted(home.dir(), e.getMessage()));
    }
  }

  /** Checks the file of an option; null is an absent option. */
  static void fileIsReadable(Path file, String flag) {
    if (file != null && !(Files.isRegularFile(file) && Files.isReadable(file))) {
      throw new UserError("no readable file %s (%s)".formatted(file.toAbsolutePath(), flag));
    }
  }

  static void kafkaAnswers(KafkaSettings kafka) {
    try {
      KafkaConnection.check(kafka);
    } catch (KafkaConnection.UnavailableException e) {
      throw new UserError(e.getMessage() + " (--kafka, --kafka-config)");
    }
  }

  static void postgresAnswers(PostgresUrl postgres) {
    try (var connection = postgres.connect("rondo-up")) {
      connection.isValid(ANSWER_BOUND_SECONDS);
    } catch (SQLException e) {
      throw new UserError(
          "cannot connect to PostgreSQL at %s (--postgres): %s"
              .formatted(postgres.shown(), e.getMessage()));
    }
  }

  private static long minFreeMb() {
    String given = System.getenv(MIN_FREE_VARIABLE);
    if (given == null) {
      return DEFAULT_MIN_FREE_MB;
    }
    try {
      return Long.parseLong(given);
    } catch (NumberFormatException e) {
      throw new UserError("%s is '%s', not whole megabytes".formatted(MIN_FREE_VARIABLE, given));
    }
  }
}
