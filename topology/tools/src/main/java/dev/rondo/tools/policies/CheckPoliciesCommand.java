package dev.rondo.tools.policies;

import dev.rondo.schemas.Ident;
import dev.rondo.topology.policy.Policies;
import dev.rondo.topology.policy.PoliciesFile;
import dev.rondo.topology.policy.Policy;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Parameters;

/** Reads a policies file. Exit code 0, or 2 if it has an error or on wrong usage. */
@Command(
    name = "policies",
    description = {
      "Reads a policies file and prints its policies.",
      "",
      "Prints their archives, and the bytes that a series takes in PostgreSQL when these are "
          + "full. Needs no running Rondo."
    },
    footer = {"Exit code 0, or 2 if the file has an error or on wrong usage."})
public final class CheckPoliciesCommand implements Callable<Integer> {
  @Parameters(index = "0", paramLabel = "FILE", description = "Policies file.")
  private Path file;

  @Parameters(
      index = "1..*",
      arity = "0..*",
      paramLabel = "SERIES",
      description =
          "Names with tags, such as 'load;host=web01': prints the policy of each instead.")
  private List<String> series = List.of();

  @Override
  public Integer call() {
    Policies policies = PoliciesFile.read(file);
    if (series.isEmpty()) {
      policies.inOrder().forEach(policy -> System.out.print(PolicyText.of(policy)));
    } else {
      series.forEach(
          text ->
              System.out.printf(
                  "%s  %s%n",
                  text,
                  policies
                      .of(Ident.parse(text))
                      .map(CheckPoliciesCommand::name)
                      .orElse("no policy")));
    }
    return ExitCode.OK;
  }

  private static String name(Policy policy) {
    return policy.name() + (policy.drops() ? ", which drops it" : "");
  }
}
