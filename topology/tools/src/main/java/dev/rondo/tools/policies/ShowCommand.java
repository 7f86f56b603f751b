package dev.rondo.tools.policies;

import dev.rondo.schemas.PolicyVersion;
import dev.rondo.tools.command.TopologySettings;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Option;

/** Prints a version of the policies, or lists all. */
@Command(
    name = "show",
    sortOptions = false,
    customSynopsis = "./rondo policies show [--version=N | --list] [--dir=DIR | --config=FILE]",
    description = "%nPrints the policies that apply, as a policies file. Needs a running Kafka.%n",
    footer = {"", "Exit code 0 on success, 1 when the command failed, 2 on wrong usage."})
final class ShowCommand implements Callable<Integer> {
  @Option(
      names = "--version",
      paramLabel = "N",
      description = "An earlier version (default: the latest).")
  private Integer number;

  @Option(names = "--list", description = "Lists all versions instead.")
  private boolean list;

  @ArgGroup private final TopologySettings settings = new TopologySettings();

  @Override
  public Integer call() throws IOException, InterruptedException {
    Versions versions = Versions.read(settings.read());
    if (list) {
      versions.all().forEach(version -> System.out.println(Versions.title(version)));
    } else {
      PolicyVersion version = number == null ? versions.latest() : versions.number(number);
      System.out.printf("# %s%n%s", Versions.title(version), version.getYaml());
    }
    return ExitCode.OK;
  }
}
