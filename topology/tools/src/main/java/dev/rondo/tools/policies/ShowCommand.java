package dev.rondo.tools.policies;

import dev.rondo.schemas.PolicyVersion;
import dev.rondo.tools.command.DatabaseOption;
import dev.rondo.tools.command.TopologySettings;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Prints a version of the policies, all versions, or how far new archives are filled. */
@Command(
    name = "show",
    description = {
      "Prints the policies that apply, as a policies file.",
      "",
      "Needs a running Kafka; --fills needs a running PostgreSQL."
    },
    footer = {"Exit code 0 on success, 1 when the command failed, 2 on wrong usage."})
public final class ShowCommand implements Callable<Integer> {
  @Option(
      names = "--version",
      paramLabel = "N",
      description = "An earlier version (default: the latest).")
  private Integer number;

  @Option(names = "--list", description = "Lists all versions instead.")
  private boolean list;

  @Option(
      names = "--fills",
      description = "Prints instead how far archives that were added later are filled.")
  private boolean fills;

  @Mixin private final TopologySettings settings = new TopologySettings();

  @Mixin private final DatabaseOption database = new DatabaseOption();

  @Override
  public Integer call() throws IOException, InterruptedException, SQLException {
    if (fills) {
      try (Connection connection = database.connect("rondo-policies", settings)) {
        FillProgress.lines(connection).forEach(System.out::println);
      }
      return ExitCode.OK;
    }
    Versions versions = Versions.read(settings.connect());
    if (list) {
      versions.all().forEach(version -> System.out.println(Versions.title(version)));
    } else {
      PolicyVersion version = number == null ? versions.latest() : versions.number(number);
      System.out.printf("# %s%n%s", Versions.title(version), version.getYaml());
    }
    return ExitCode.OK;
  }
}
