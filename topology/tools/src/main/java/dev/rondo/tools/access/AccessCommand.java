package dev.rondo.tools.access;

import dev.rondo.connection.kafka.KafkaConnection;
import dev.rondo.tools.command.CheckSettings;
import dev.rondo.topology.access.KafkaAcls;
import dev.rondo.topology.access.Part;
import dev.rondo.topology.access.Right;
import dev.rondo.topology.access.Rights;
import dev.rondo.topology.config.TopologyConfig;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Prints the rights that a part lacks. */
@Command(
    name = "access",
    description = {
      "Checks the rights on the Kafka cluster of a part, and names the missing ones.",
      "",
      "Asks the cluster, as the user of --kafka-config, for each right that the part needs, "
          + "and prints the commands that grant the missing ones. Creates no topic, commits no "
          + "offset and writes no record."
    },
    footer = {
      "Rights on a topic that does not exist cannot be checked, except the one to create it: run the",
      "command again when the topics exist.",
      "",
      "Exit code 0 if no right is missing, 1 if one is or on failure, 2 on wrong usage."
    })
public final class AccessCommand implements Callable<Integer> {
  @Option(
      names = "--part",
      paramLabel = "PART",
      defaultValue = "topology",
      description = "topology, connect, api, tools or senders (default: topology).")
  private Part part;

  @Option(
      names = "--principal",
      paramLabel = "USER",
      defaultValue = "USER",
      description = "User to print in the commands, as this client does not know its own.")
  private String principal;

  @Mixin private CheckSettings settings;

  @Override
  public Integer call() throws IOException, ExecutionException, InterruptedException {
    TopologyConfig config = settings.read();
    KafkaConnection.check(config.kafka());
    List<Right> rights = Rights.of(config, part);
    AccessCheck check;
    try (Admin admin = Admin.create(config.admin())) {
      check = AccessCheck.of(admin, config, rights);
    }
    System.out.println(
        "%s: %d rights, %d missing, %d not checked"
            .formatted(
                part.name().toLowerCase(Locale.ROOT),
                rights.size(),
                check.missing().size(),
                check.unknown().size()));
    for (Right right : check.missing()) {
      System.out.println("missing: %s (%s)".formatted(right.text(), right.why()));
    }
    KafkaAcls.grants(check.missing(), config.kafka().bootstrap(), Principal.typed(principal))
        .forEach(command -> System.out.println("  " + command));
    if (!check.unknown().isEmpty()) {
      System.out.println(
          "not checked, as no such topic exists or may be seen: "
              + check.unknown().stream().map(Right::text).collect(Collectors.joining(", ")));
    }
    return check.missing().isEmpty() ? ExitCode.OK : ExitCode.SOFTWARE;
  }
}
