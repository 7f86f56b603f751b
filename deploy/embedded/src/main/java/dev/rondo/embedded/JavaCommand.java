package dev.rondo.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * Builds command lines of child JVMs, with this JVM's java. Options in the environment variable
 * {@code RONDO_JAVA_OPTIONS}, separated by spaces, apply to all of them and their children. A main
 * class that has run before uses its archive in the folder {@code RONDO_CLASS_ARCHIVES}.
 */
public final class JavaCommand {
  private static final String OPTIONS_VARIABLE = "RONDO_JAVA_OPTIONS";
  private static final Path HUGE_PAGES = Path.of("/sys/kernel/mm/transparent_hugepage/enabled");
  private static final String LOGGING =
      "-Dlog4j2.configurationFile=classpath:dev/rondo/embedded/child-log4j2.properties";

  /**
   * Thresholds of the C2 compiler, four times the defaults: mostly idle programs have few hot
   * methods, but C2 would use a core for minutes. Less inlining cuts its time to two thirds without
   * slower code.
   */
  private static final List<String> COMPILER =
      List.of(
          "-XX:Tier4InvocationThreshold=20000",
          "-XX:Tier4MinInvocationThreshold=2400",
          "-XX:Tier4CompileThreshold=60000",
          "-XX:Tier4BackEdgeThreshold=160000",
          "-XX:MaxInlineLevel=9",
          "-XX:InlineSmallCode=1200",
          "-XX:FreqInlineSize=200");

  /**
   * Options for a mostly idle program: its heap starts small and shrinks after a full collection,
   * and no method is hot enough for the C2 compiler.
   */
  public static final List<String> SMALL =
      List.of(
          "-Xms8m",
          "-XX:MinHeapFreeRatio=10",
          "-XX:MaxHeapFreeRatio=20",
          "-XX:-ShrinkHeapInSteps",
          "-XX:+UseSerialGC",
          "-XX:-UseTransparentHugePages",
          "-XX:TieredStopAtLevel=1");

  private static final Predicate<String> COLLECTOR =
      Pattern.compile("-XX:\\+Use\\w+GC").asMatchPredicate();

  private JavaCommand() {}

  /**
   * Runs {@code mainClass} on this JVM's class path, with additional {@code options} for its JVM;
   * it logs to standard output.
   */
  public static List<String> withOptions(
      String heap, List<String> options, String mainClass, String... arguments) {
    var all = new ArrayList<>(List.of("-Xmx" + heap, LOGGING));
    all.addAll(options);
    return of(System.getProperty("java.class.path"), all, mainClass, arguments);
  }

  /** Runs {@code mainClass} on another class path, with {@code options} for its JVM. */
  public static List<String> of(
      String classPath, List<String> options, String mainClass, String... arguments) {
    var command = new ArrayList<String>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(COMPILER);
    if (mayUseHugePages()) {
      command.add("-XX:+UseTransparentHugePages"); // series are scattered in memory
    }
    command.addAll(commonOptions()); // the last of equal options wins
    boolean isCollectorGiven = command.stream().anyMatch(COLLECTOR);
    options.stream()
        .filter(option -> !isCollectorGiven || !COLLECTOR.test(option)) // two would be an error
        .forEach(command::add);
    if (command.stream().noneMatch(COLLECTOR)) {
      command.add("-XX:+UseParallelGC"); // least CPU time on few cores
    }
    command.add("-XX:+ExitOnOutOfMemoryError");
    command.add("-Djava.awt.headless=true");
    var archive = ClassArchives.ofEnvironment().flatMap(all -> all.find(mainClass, classPath));
    archive.ifPresent(found -> command.addAll(found.options()));
    String ordered = archive.map(found -> found.reorder(classPath)).orElse(classPath);
    command.addAll(List.of("-cp", ordered, mainClass));
    command.addAll(List.of(arguments));
    return command;
  }

  /** Whether the kernel has transparent huge pages; otherwise a JVM prints a warning. */
  private static boolean mayUseHugePages() {
    try {
      return !Files.readString(HUGE_PAGES).contains("[never]");
    } catch (IOException e) {
      return false; // another system than Linux
    }
  }

  private static List<String> commonOptions() {
    String given = System.getenv().getOrDefault(OPTIONS_VARIABLE, "").strip();
    return given.isEmpty() ? List.of() : List.of(given.split("\\s+"));
  }
}
