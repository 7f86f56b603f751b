package dev.rondo.tools.policies;

import dev.rondo.schemas.PolicyVersion;
import dev.rondo.tools.command.Author;
import dev.rondo.tools.command.CommandException;
import dev.rondo.tools.command.TopologySettings;
import dev.rondo.tools.series.KnownSeries;
import dev.rondo.topology.config.TopologyConfig;
import dev.rondo.topology.policy.Policies;
import dev.rondo.topology.policy.PoliciesFile;
import dev.rondo.topology.topics.PolicyVersionTopic;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Makes a policies file the next version of the policies. */
@Command(
    name = "apply",
    description = {
      "Makes a policies file the next version of the policies.",
      "",
      "All instances take it while they run. Prints first what changes, for which series, and "
          + "what it takes in PostgreSQL."
    },
    footer = {
      "To roll back, apply the former file: ./rondo policies show --version=N prints it.",
      "",
      "Exit code 0 on success, 1 when the command failed, 2 if the file has an error or on wrong "
          + "usage."
    })
public final class ApplyCommand implements Callable<Integer> {
  @Parameters(index = "0", paramLabel = "FILE", description = "Policies file.")
  private Path file;

  @Option(names = "--dry-run", description = "Show the effects, and change nothing.")
  private boolean dryRun;

  @Mixin private final TopologySettings settings = new TopologySettings();

  @Override
  public Integer call() throws IOException, InterruptedException {
    String yaml = PoliciesFile.text(file);
    Policies next = PoliciesFile.parse(yaml);
    TopologyConfig config = settings.connect();
    next.requireSpansOver(config.getLong("max.future.ms"));
    PolicyVersion latest = Versions.read(config).latest();
    Policies before = PoliciesFile.parse(latest.getYaml());
    List<String> changes = PolicyDiff.of(before, next);
    System.out.println(Versions.title(latest));
    if (changes.isEmpty()) {
      System.out.println("no difference: nothing was changed");
      return ExitCode.OK;
    }
    changes.forEach(System.out::println);
    PolicyEffects effects = new PolicyEffects(before, next);
    KnownSeries.read(config, ident -> true)
        .forEach((ident, series) -> effects.add(ident, series.policy()));
    effects.lines().forEach(System.out::println);
    if (dryRun) {
      System.out.println("nothing was changed (--dry-run)");
      return ExitCode.OK;
    }
    apply(config, latest.getNumber() + 1, yaml);
    return ExitCode.OK;
  }

  private void apply(TopologyConfig config, int number, String yaml) throws InterruptedException {
    var version = new PolicyVersion(number, System.currentTimeMillis(), Author.name(), yaml);
    PolicyVersion written = PolicyVersionTopic.write(config, version);
    if (!written.equals(version)) {
      throw CommandException.refused(
          "another file was applied at the same time (%s), and this one was not: look at"
                  .formatted(Versions.title(written))
              + " ./rondo policies diff %s, and apply it again".formatted(file));
    }
    System.out.printf("applied as version %d%n", number);
  }
}
