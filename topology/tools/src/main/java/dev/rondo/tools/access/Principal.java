package dev.rondo.tools.access;

import dev.rondo.topology.access.Part;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * A user of Kafka.
 *
 * @param name with its type, {@code User:rondo}
 * @param parts that connect as this user
 */
record Principal(String name, List<Part> parts) {
  private static final String USER = "User:";

  /** With the type {@code User} if {@code name} has none. */
  static String typed(String name) {
    return name.startsWith(USER) ? name : USER + name;
  }

  /** Such as {@code topology, connect: User:rondo}. */
  String title() {
    return "%s: %s".formatted(names(parts), name);
  }

  private static String names(List<Part> parts) {
    return parts.stream()
        .map(part -> part.name().toLowerCase(Locale.ROOT))
        .collect(Collectors.joining(", "));
  }

  /** The name of the user itself. */
  String withoutType() {
    return name.substring(USER.length());
  }
}
