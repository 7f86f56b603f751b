package dev.rondo.dist;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.rondo.bench.Bench;
import dev.rondo.chaos.Chaos;
import dev.rondo.connection.command.CommandLines;
import dev.rondo.host.HostCollector;
import dev.rondo.loadgen.Loadgen;
import dev.rondo.tools.command.Commands;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import picocli.CommandLine;

/**
 * Runs the command named by the first argument, in this process. Prints help from the texts that
 * {@code HelpTest} generates, which {@code ./rondo} also shows before anything is built.
 */
public final class Rondo {
  private Rondo() {}

  public static void main(String[] arguments) throws IOException {
    List<String> words = arguments.length == 0 ? List.of("help") : List.of(arguments);
    String name = words.get(0);
    if (isHelp(name) || name.equals("help")) {
      System.out.print(help("rondo"));
    } else if (isVersion(name) || (words.size() == 2 && isVersion(words.get(1)))) {
      System.out.println("rondo " + Rondo.class.getPackage().getImplementationVersion());
    } else if (words.stream().anyMatch(Rondo::isHelp)) {
      String text = help(name + "-" + words.get(1));
      System.out.print(text.isEmpty() ? help(name) : text);
    } else {
      CommandLines.logBy(
          switch (name) {
            case "topology" -> "classpath:log4j2.properties";
            case "host-collector" -> "classpath:log4j2.xml";
            case "migrate" -> "classpath:dev/rondo/local/log4j2.properties";
            default -> CommandLines.FAILURES;
          });
      CommandLines.run(Rondo::commandLine, arguments);
    }
  }

  /** Returns the command with this name; null if there is none. Loads only its classes. */
  static CommandLine commandLine(String name) {
    return switch (name) {
      case "topology" -> Commands.commandLine(new TopologyCommand());
      case "host-collector" -> HostCollector.commandLine();
      case "bench" -> Bench.commandLine();
      case "chaos" -> Chaos.commandLine();
      case "loadgen" -> Loadgen.commandLine();
      case "up", "down", "status", "stop", "start", "postgres", "migrate" ->
          dev.rondo.local.Main.commandLine(name);
      default -> dev.rondo.history.Main.commandLine(name);
    };
  }

  private static boolean isHelp(String argument) {
    return argument.equals("-h") || argument.equals("--help");
  }

  private static boolean isVersion(String argument) {
    return argument.equals("-V") || argument.equals("--version");
  }

  /**
   * Returns the text of a release, otherwise the one shared with a clone; empty if there is none.
   */
  private static String help(String name) throws IOException {
    for (String folder : List.of("help/release/", "help/")) {
      try (InputStream text = Rondo.class.getResourceAsStream(folder + name + ".txt")) {
        if (text != null) {
          return new String(text.readAllBytes(), UTF_8).replace("./rondo", CommandLines.PROGRAM);
        }
      }
    }
    return "";
  }
}
