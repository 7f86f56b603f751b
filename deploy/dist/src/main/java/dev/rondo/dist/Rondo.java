package dev.rondo.dist;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.rondo.history.PoliciesCommand;
import dev.rondo.history.backfill.BackfillCommand;
import dev.rondo.history.replay.ReplayCommand;
import dev.rondo.history.whisper.VerifyWhisperCommand;
import dev.rondo.host.HostCollector;
import dev.rondo.tools.access.AclsCommand;
import dev.rondo.tools.check.CheckCommand;
import dev.rondo.tools.command.TopologySettings;
import dev.rondo.tools.deadletters.DeadLettersCommand;
import dev.rondo.tools.events.EventsCommand;
import dev.rondo.tools.send.SendCommand;
import dev.rondo.tools.series.SeriesCommand;
import dev.rondo.tools.size.SizeCommand;
import dev.rondo.tools.why.WhyCommand;
import dev.rondo.topology.Main;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Starts the command that the first argument names, in this process. */
public final class Rondo {
  private static final int MISUSE = 2;
  private static final Path TOPOLOGY_SETTINGS = Path.of("/etc/rondo/topology.properties");

  /** The commands by name; each gets the arguments after its name. */
  private static final Map<String, Command> COMMANDS =
      Map.ofEntries(
          Map.entry("topology", Rondo::topology),
          Map.entry("host-collector", HostCollector::main),
          Map.entry("migrate", rest -> dev.rondo.local.Rondo.main(with("migrate", rest))),
          Map.entry("policies", PoliciesCommand::main),
          Map.entry("acls", AclsCommand::main),
          Map.entry("backfill", BackfillCommand::main),
          Map.entry("check", CheckCommand::main),
          Map.entry("dead-letters", DeadLettersCommand::main),
          Map.entry("events", EventsCommand::main),
          Map.entry("replay", ReplayCommand::main),
          Map.entry("send", SendCommand::main),
          Map.entry("series", SeriesCommand::main),
          Map.entry("size", SizeCommand::main),
          Map.entry("verify", VerifyWhisperCommand::main),
          Map.entry("why", WhyCommand::main));

  private Rondo() {}

  @FunctionalInterface
  private interface Command {
    void run(String[] arguments) throws Exception;
  }

  public static void main(String[] arguments) throws Exception {
    var all = List.of(arguments);
    if (all.isEmpty() || isHelp(all.get(0)) || all.get(0).equals("help")) {
      System.out.print(help("rondo").orElseThrow());
    } else if (isVersion(all.get(0)) || (all.size() == 2 && isVersion(all.get(1)))) {
      System.out.println("rondo " + Rondo.class.getPackage().getImplementationVersion());
    } else if (all.stream().anyMatch(Rondo::isHelp) && helpOf(all).isPresent()) {
      System.out.print(helpOf(all).get());
    } else {
      run(all.get(0), Arrays.copyOfRange(arguments, 1, arguments.length));
    }
  }

  private static boolean isHelp(String argument) {
    return argument.equals("-h") || argument.equals("--help");
  }

  private static boolean isVersion(String argument) {
    return argument.equals("-V") || argument.equals("--version");
  }

  private static void run(String name, String[] arguments) throws Exception {
    Command command = COMMANDS.get(name);
    if (command == null) {
      System.err.println("rondo: unknown command '%s'; rondo --help lists them".formatted(name));
      System.exit(MISUSE);
      return;
    }
    command.run(arguments);
  }

  private static void topology(String[] arguments) {
    boolean takesDefault =
        arguments.length == 0
            && (Files.exists(TOPOLOGY_SETTINGS) || !TopologySettings.isGivenByEnvironment());
    Main.main(takesDefault ? new String[] {TOPOLOGY_SETTINGS.toString()} : arguments);
  }

  private static String[] with(String name, String[] arguments) {
    var whole = new String[arguments.length + 1];
    whole[0] = name;
    System.arraycopy(arguments, 0, whole, 1, arguments.length);
    return whole;
  }

  /** Help of {@code COMMAND SUBCOMMAND}, or else of {@code COMMAND}; empty: it has its own. */
  private static Optional<String> helpOf(List<String> words) throws IOException {
    Optional<String> ofSubcommand = help(words.get(0) + "-" + words.get(1));
    return ofSubcommand.isPresent() ? ofSubcommand : help(words.get(0));
  }

  private static Optional<String> help(String name) throws IOException {
    try (InputStream text = Rondo.class.getResourceAsStream("help/" + name + ".txt")) {
      return text == null
          ? Optional.empty()
          : Optional.of(new String(text.readAllBytes(), UTF_8).replace("./rondo", "rondo"));
    }
  }
}
