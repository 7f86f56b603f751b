package dev.rondo.tools.access;

import dev.rondo.topology.access.KafkaAcls;
import dev.rondo.topology.access.Right;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourceType;

/** How rights are printed. */
enum AclFormat {
  TABLE("table") {
    @Override
    List<String> lines(Principal principal, Collection<Right> rights, String bootstrap) {
      List<String> lines = new ArrayList<>();
      lines.add(principal.title());
      for (Right right : rights) {
        lines.add(
            "  %-16s %-52s %s"
                .formatted(right.operationName(), Right.text(right.resource()), right.why()));
      }
      return lines;
    }
  },
  KAFKA_ACLS("kafka-acls") {
    @Override
    List<String> lines(Principal principal, Collection<Right> rights, String bootstrap) {
      List<String> lines = new ArrayList<>();
      lines.add("# " + principal.title());
      lines.addAll(KafkaAcls.grants(rights, bootstrap, principal.name()));
      return lines;
    }
  },
  STRIMZI("strimzi") {
    @Override
    List<String> lines(Principal principal, Collection<Right> rights, String bootstrap) {
      List<String> lines = new ArrayList<>();
      lines.add("---");
      lines.add("# " + principal.title());
      lines.add("apiVersion: kafka.strimzi.io/v1beta2");
      lines.add("kind: KafkaUser");
      lines.add("metadata:");
      lines.add("  name: \"%s\"".formatted(principal.withoutType()));
      lines.add("  labels:");
      lines.add("    strimzi.io/cluster: \"CLUSTER\"");
      lines.add("spec:");
      lines.add("  authorization:");
      lines.add("    type: simple");
      lines.add("    acls:");
      KafkaAcls.operations(rights)
          .forEach(
              (resource, operations) -> {
                lines.add("      - resource:");
                lines.add("          type: " + type(resource.resourceType()));
                lines.add("          name: \"%s\"".formatted(resource.name()));
                lines.add(
                    "          patternType: "
                        + (resource.patternType() == PatternType.PREFIXED ? "prefix" : "literal"));
                lines.add("        operations: [%s]".formatted(String.join(", ", operations)));
              });
      return lines;
    }
  };

  private final String option;

  AclFormat(String option) {
    this.option = option;
  }

  /** The lines for one principal. */
  abstract List<String> lines(Principal principal, Collection<Right> rights, String bootstrap);

  private static String type(ResourceType type) {
    return type == ResourceType.TRANSACTIONAL_ID
        ? "transactionalId"
        : type.name().toLowerCase(Locale.ROOT);
  }

  /** As the option has it. */
  @Override
  public String toString() {
    return option;
  }
}
