package dev.rondo.topology.access;

import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;
import org.apache.kafka.common.utils.internals.SecurityUtils;

/**
 * An operation on a resource, or on all resources with a name prefix.
 *
 * @param why purpose of the operation
 */
public record Right(ResourcePattern resource, AclOperation operation, String why) {
  /** Whether the resource has exactly one name. */
  public boolean isLiteral() {
    return resource.patternType() == PatternType.LITERAL
        && !resource.name().equals(ResourcePattern.WILDCARD_RESOURCE);
  }

  /** Whether the right covers a resource with this name. */
  public boolean covers(ResourceType type, String name) {
    return resource.resourceType() == type
        && (isLiteral()
            ? resource.name().equals(name)
            : resource.name().equals(ResourcePattern.WILDCARD_RESOURCE)
                || name.startsWith(resource.name()));
  }

  /** Returns the operation as Kafka's tools write it: {@code DescribeConfigs}. */
  public String operationName() {
    return SecurityUtils.operationName(operation);
  }

  /** Returns text such as {@code Read on topic rondo.series}. */
  public String text() {
    return "%s on %s".formatted(operationName(), text(resource));
  }

  /** Returns text such as {@code topic rondo.series} or {@code transactional id rondo-* }. */
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
