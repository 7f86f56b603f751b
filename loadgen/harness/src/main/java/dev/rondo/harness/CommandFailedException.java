package dev.rondo.harness;

/** A command of {@code ./rondo} that ended with another code than it should. */
public final class CommandFailedException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final int exitCode;

  CommandFailedException(String command, int exitCode, String complaints) {
    super("./rondo %s ended with exit code %d: %s".formatted(command, exitCode, complaints));
    this.exitCode = exitCode;
  }

  public int exitCode() {
    return exitCode;
  }
}
