package dev.rondo.topology.access;

import dev.rondo.topology.config.TopologyConfig;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.GroupAuthorizationException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.errors.TransactionalIdAuthorizationException;
import org.apache.kafka.common.resource.ResourceType;

/** Explains that Kafka refused a request. Brokers name the resource but not the operation. */
public final class MissingRights {
  private MissingRights() {}

  /**
   * Explains a failure in one line: what Kafka refused, and the rights of the part for that
   * resource, at least one of which is missing.
   *
   * @return empty if the failure has another reason
   */
  public static Optional<String> explain(TopologyConfig config, Part part, Throwable failure) {
    return Stream.iterate(failure, Objects::nonNull, Throwable::getCause)
        .filter(AuthorizationException.class::isInstance)
        .map(AuthorizationException.class::cast)
        .findFirst()
        .map(refusal -> text(Rights.of(config, part), config.kafka().bootstrap(), part, refusal));
  }

  private static String text(
      List<Right> rights, String bootstrap, Part part, AuthorizationException refusal) {
    String name = part.name().toLowerCase(Locale.ROOT);
    String needed =
        rights.stream()
            .filter(concerned(refusal))
            .map(Right::text)
            .collect(Collectors.joining(", "));
    return "Kafka at %s refused a request: %s %s needs %s; to see what is missing: ./rondo check access --part=%s"
        .formatted(
            bootstrap,
            sentence(refusal.getMessage()),
            part == Part.TOOLS ? "This command" : "The " + name,
            needed.isEmpty() ? "the rights that ./rondo acls prints" : needed,
            name);
  }

  private static String sentence(String message) {
    String line = String.valueOf(message).replaceAll("\\s*\\R\\s*", " ");
    return line.endsWith(".") ? line : line + ".";
  }

  private static Predicate<Right> concerned(AuthorizationException refusal) {
    if (refusal instanceof TopicAuthorizationException topics) {
      Set<String> names = topics.unauthorizedTopics();
      return right -> names.stream().anyMatch(name -> right.covers(ResourceType.TOPIC, name));
    }
    if (refusal instanceof GroupAuthorizationException group && group.groupId() != null) {
      return right -> right.covers(ResourceType.GROUP, group.groupId());
    }
    boolean isTransaction = refusal instanceof TransactionalIdAuthorizationException;
    return right ->
        isTransaction && right.resource().resourceType() == ResourceType.TRANSACTIONAL_ID;
  }
}
