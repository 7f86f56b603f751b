package dev.rondo.tools.policies;

import dev.rondo.schemas.PolicyVersion;
import dev.rondo.tools.command.TopologySettings;
import dev.rondo.topology.policy.PoliciesFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Compares a policies file with the policies that apply. */
@Command(
    name = "diff",
    description = {
      "Prints how a policies file differs from the policies that apply.",
      "",
      "Prints a line for each policy and key. Needs a running Kafka."
    },
    footer = {
      "Exit code 0 whether they differ or not, 1 when the command failed, 2 if the file has an "
          + "error or on wrong usage."
    })
public final class DiffCommand implements Callable<Integer> {
  @Parameters(index = "0", paramLabel = "FILE", description = "Policies file.")
  private Path file;

  @Mixin private final TopologySettings settings = new TopologySettings();

  @Override
  public Integer call() throws IOException, InterruptedException {
    var next = PoliciesFile.read(file);
    PolicyVersion latest = Versions.read(settings.connect()).latest();
    List<String> lines = PolicyDiff.of(PoliciesFile.parse(latest.getYaml()), next);
    System.out.println(Versions.title(latest));
    lines.forEach(System.out::println);
    if (lines.isEmpty()) {
      System.out.println("no difference");
    }
    return ExitCode.OK;
  }
}
