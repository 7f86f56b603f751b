package dev.rondo.embedded;

import java.nio.file.Path;

/**
 * Reports that a part ended or did not answer in time during its start. The message ends with its
 * log.
 */
public final class StartFailedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String summary;
  private final String tail;

  StartFailedException(String summary, Path log, String tail) {
    super("%s; the end of %s:%n%s".formatted(summary, log, tail));
    this.summary = summary + "; log: " + log;
    this.tail = tail;
  }

  /** One line with the failure and the log file. */
  public String summary() {
    return summary;
  }

  /** The last lines of the log. */
  public String tail() {
    return tail;
  }
}
