package dev.rondo.tools.access;

import dev.rondo.tools.command.CommandException;
import dev.rondo.tools.command.TopologySettings;
import dev.rondo.topology.access.Part;
import dev.rondo.topology.access.Right;
import dev.rondo.topology.access.Rights;
import dev.rondo.topology.config.TopologyConfig;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command {@code ./rondo acls}: prints rights, and connects to nothing. */
@Command(
    name = "acls",
    description = {
      "Prints the rights on the Kafka cluster that each part needs.",
      "",
      "They follow from the settings of a topology: its prefix, names of topics, sources. The "
          + "command connects to nothing."
    },
    footer = {
      "Prints only the parts with a principal, or all if none has one. Parts may share a "
          + "principal.",
      "",
      "Exit code 0, or 1 on failure, 2 on wrong usage."
    })
public final class AclsCommand implements Callable<Integer> {
  @Option(
      names = "--format",
      paramLabel = "FORMAT",
      description =
          "table, kafka-acls (commands of Kafka's tool) or strimzi (KafkaUser manifests, with CLUSTER"
              + " to be replaced) (default: kafka-acls if a principal is given, else table).")
  private AclFormat format;

  @Option(
      names = "--principal-topology",
      paramLabel = "USER",
      description = "User of the topology, with or without User: before it.")
  private String topology;

  @Option(
      names = "--principal-connect",
      paramLabel = "USER",
      description = "User of the Connect worker with the sink.")
  private String connect;

  @Option(
      names = "--principal-api",
      paramLabel = "USER",
      description = "User of the query API; to delete series, and for dead letters.")
  private String api;

  @Option(
      names = "--principal-tools",
      paramLabel = "USER",
      description = "User of the commands, such as replay and series.")
  private String tools;

  @Option(
      names = "--principal-senders",
      paramLabel = "USER",
      description = "User of collectors that send points.")
  private String senders;

  @Mixin private TopologySettings settings;

  @Override
  public Integer call() throws IOException {
    TopologyConfig config = settings.read();
    List<Principal> principals = principals();
    boolean hasNone = principals.isEmpty();
    if (hasNone && format != null && format != AclFormat.TABLE) {
      throw CommandException.misuse(
          "no principal is given, such as --principal-topology (--format=%s)".formatted(format));
    }
    AclFormat chosen = format != null ? format : hasNone ? AclFormat.TABLE : AclFormat.KAFKA_ACLS;
    String bootstrap = config.kafka().bootstrap();
    for (Principal principal : hasNone ? unnamed() : principals) {
      chosen.lines(principal, rights(config, principal), bootstrap).forEach(System.out::println);
    }
    return ExitCode.OK;
  }

  /** One for each user. */
  private List<Principal> principals() {
    Map<Part, String> users = new LinkedHashMap<>();
    users.put(Part.TOPOLOGY, topology);
    users.put(Part.CONNECT, connect);
    users.put(Part.API, api);
    users.put(Part.TOOLS, tools);
    users.put(Part.SENDERS, senders);
    Map<String, List<Part>> parts = new LinkedHashMap<>();
    users.forEach(
        (part, user) -> {
          if (user != null) {
            parts.computeIfAbsent(Principal.typed(user), name -> new ArrayList<>()).add(part);
          }
        });
    return parts.entrySet().stream().map(e -> new Principal(e.getKey(), e.getValue())).toList();
  }

  private static List<Principal> unnamed() {
    return List.of(Part.values()).stream()
        .map(part -> new Principal("any user", List.of(part)))
        .toList();
  }

  private static Collection<Right> rights(TopologyConfig config, Principal principal) {
    Set<Object> known = new LinkedHashSet<>();
    List<Right> rights = new ArrayList<>();
    for (Part part : principal.parts()) {
      for (Right right : Rights.of(config, part)) {
        if (known.add(List.of(right.resource(), right.operation()))) {
          rights.add(right);
        }
      }
    }
    return rights;
  }
}
