package dev.rondo.dist;

import dev.rondo.connection.command.CommandLines;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import picocli.CommandLine;

/** All commands as one tree, for help, completion and manual. */
final class Root {
  private Root() {}

  static CommandLine ofClone() {
    return of(
        "Requires bash, a JDK 17 or newer and Python 3.11 or newer.",
        ScriptCommands.ofClone(),
        "up status stop start down send check acls replay backfill dead-letters policies series why"
            + " events size migrate postgres test fmt loadgen verify chaos bench dist");
  }

  static CommandLine ofRelease() {
    return of(
        "Requires Java 17 or newer; the query API Python 3.11 or newer.",
        ScriptCommands.ofRelease(),
        "topology api host-collector migrate send check acls replay backfill verify dead-letters"
            + " policies series why events size");
  }

  private static CommandLine of(
      String requirements, Map<String, CommandLine> scripts, String names) {
    List<CommandLine> commands = new ArrayList<>();
    for (String name : names.split(" ", -1)) {
      CommandLine ofScript = scripts.get(name);
      CommandLine command = ofScript == null ? Rondo.commandLine(name) : ofScript;
      if (name.equals("bench")) {
        CommandLines.addAll(command, ScriptCommands.ofBench().values());
      }
      commands.add(command);
    }
    CommandLine root = CommandLines.program(commands);
    root.getCommandSpec()
        .usageMessage()
        .customSynopsis("./rondo COMMAND [OPTIONS]")
        .description(
            "Rondo: metrics on Kafka, kept as round-robin archives in PostgreSQL, served as Graphite.")
        .footerHeading("%n")
        .footer(
            "./rondo COMMAND --help shows details, ./rondo --version the version.", requirements);
    return root;
  }
}
