package dev.rondo.harness;

/** A command of {@code ./rondo} that exited with an unexpected code. */
public final class CommandFailedException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final int exitCode;

  CommandFailedException(String command, int exitCode, String errors) {
    super("./rondo %s ended with exit code %d: %s".formatted(command, exitCode, errors));
    this.exitCode = exitCode;
  }

  public int exitCode() {
    return exitCode;
  }
}
