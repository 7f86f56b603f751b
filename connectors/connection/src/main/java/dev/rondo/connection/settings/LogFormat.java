package dev.rondo.connection.settings;

import java.util.Map;
import java.util.Optional;

/**
 * Log format of all JVMs, {@value #VARIABLE}: each configuration of log4j2 has an appender of that
 * name.
 */
public final class LogFormat {
  private static final String VARIABLE = "RONDO_LOG_FORMAT";

  private LogFormat() {}

  /** Returns an error if the format in the environment is invalid, as nothing would be logged. */
  public static Optional<String> fault(Map<String, String> environment) {
    String format = environment.getOrDefault(VARIABLE, "text");
    return format.equals("text") || format.equals("json")
        ? Optional.empty()
        : Optional.of("%s is '%s', not text or json".formatted(VARIABLE, format));
  }
}
