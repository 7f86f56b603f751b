package dev.rondo.topology.access;

import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;
import org.apache.kafka.common.utils.SecurityUtils;

/**
 * One operation on one resource, or on all resources whose names begin alike.
 *
 * @param why what the part does with it
 */
public record Right(ResourcePattern resource, AclOperation operation, String why) {
  /** Whether the resource has exactly one name. */
  public boolean isLiteral() {
    return resource.patternType() == PatternType.LITERAL
        && !resource.name().equals(ResourcePattern.WILDCARD_RESOURCE);
  }

  /** Whether the right is for a topic or a group of this name. */
  public boolean covers(ResourceType type, String name) {
    return resource.resourceType() == type
        && (isLiteral()
            ? resource.name().equals(name)
            : resource.name().equals(ResourcePattern.WILDCARD_RESOURCE)
                || name.startsWith(resource.name()));
  }

  /** The operation as Kafka's tools write it: {@code DescribeConfigs}. */
  public String operationName() {
    return SecurityUtils.operationName(operation);
  }

  /** Such as {@code Read on topic rondo.series}. */
  public String text() {
    return "%s on %s".formatted(operationName(), text(resource));
  }

  /** Such as {@code topic rondo.series}, or {@code transactional id rondo-* }. */
  public static String text(ResourcePattern resource) {
    String type =
        switch (resource.resourceType()) {
          case TRANSACTIONAL_ID -> "transactional id";
          case GROUP -> "group";
          case TOPIC -> "topic";
          default -> throw new IllegalArgumentException(resource.toString());
        };
    return type
        + " "
        + resource.name()
        + (resource.patternType() == PatternType.PREFIXED ? "*" : "");
  }
}
