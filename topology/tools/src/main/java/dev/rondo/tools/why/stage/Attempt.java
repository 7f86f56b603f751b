package dev.rondo.tools.why.stage;

import java.sql.SQLException;
import java.util.concurrent.ExecutionException;
import java.util.function.Function;

/** Makes a failure a fact. */
final class Attempt {
  private Attempt() {}

  /** What may fail in any way. */
  @FunctionalInterface
  interface Reading<T> {
    T read() throws Exception;
  }

  /**
   * The result of a reading, or what {@code failed} makes of the message of its failure.
   *
   * @throws InterruptedException if the thread is interrupted, the only failure of why itself
   */
  static <T> T of(Reading<T> reading, Function<String, T> failed) throws InterruptedException {
    try {
      return reading.read();
    } catch (InterruptedException e) {
      throw e;
    } catch (Exception e) {
      return failed.apply(message(e));
    }
  }

  private static String message(Exception failure) {
    Throwable cause =
        failure instanceof ExecutionException && failure.getCause() != null
            ? failure.getCause()
            : failure;
    String message = cause.getMessage();
    if (message == null || message.isBlank()) {
      return cause.getClass().getSimpleName();
    }
    String line = message.lines().findFirst().orElseThrow();
    return cause instanceof SQLException e && e.getSQLState() != null
        ? "[%s] %s".formatted(e.getSQLState(), line)
        : line;
  }
}
