package dev.rondo.embedded;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Command lines of child JVMs: this JVM's java, logging to standard output. */
public final class JavaCommand {
  private static final String LOGGING =
      "-Dlog4j2.configurationFile=classpath:dev/rondo/embedded/child-log4j2.properties";

  private JavaCommand() {}

  /** Runs {@code mainClass} on this JVM's own class path. */
  static List<String> of(String heap, String mainClass, String... arguments) {
    return of(System.getProperty("java.class.path"), heap, LOGGING, mainClass, arguments);
  }

  /**
   * Runs {@code mainClass} on another class path.
   *
   * @param heap most heap it may take, as of -Xmx: {@code 512m}
   * @param logging a JVM option that sets up its logging
   */
  public static List<String> of(
      String classPath, String heap, String logging, String mainClass, String... arguments) {
    var command = new ArrayList<String>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-Xmx" + heap);
    command.add("-XX:+ExitOnOutOfMemoryError");
    command.add("-Djava.awt.headless=true");
    command.add("-Duser.timezone=UTC");
    command.add(logging);
    command.addAll(List.of("-cp", classPath, mainClass));
    command.addAll(List.of(arguments));
    return command;
  }
}
