package dev.rondo.topology.access;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;

/** Formats rights as commands of kafka-acls.sh, one for each resource. */
public final class KafkaAcls {
  private KafkaAcls() {}

  /**
   * Returns the commands that grant rights.
   *
   * @param bootstrap bootstrap servers
   * @param principal principal, such as {@code User:rondo}
   */
  public static List<String> grants(Collection<Right> rights, String bootstrap, String principal) {
    List<String> commands = new ArrayList<>();
    operations(rights)
        .forEach(
            (resource, names) ->
                commands.add(
                    "kafka-acls.sh --bootstrap-server %s --add --allow-principal '%s'%s %s '%s' --resource-pattern-type %s"
                        .formatted(
                            bootstrap,
                            principal,
                            names.stream()
                                .map(n -> " --operation " + n)
                                .collect(Collectors.joining()),
                            option(resource.resourceType()),
                            resource.name(),
                            resource.patternType().name().toLowerCase(Locale.ROOT))));
    return commands;
  }

  /** Returns the names of operations by resource. */
  public static Map<ResourcePattern, Set<String>> operations(Collection<Right> rights) {
    Map<ResourcePattern, Set<String>> operations = new LinkedHashMap<>();
    for (Right right : rights) {
      operations
          .computeIfAbsent(right.resource(), resource -> new LinkedHashSet<>())
          .add(right.operationName());
    }
    return operations;
  }

  private static String option(ResourceType type) {
    return switch (type) {
      case GROUP -> "--group";
      case TRANSACTIONAL_ID -> "--transactional-id";
      case TOPIC -> "--topic";
      default -> throw new IllegalArgumentException(type.toString());
    };
  }
}
