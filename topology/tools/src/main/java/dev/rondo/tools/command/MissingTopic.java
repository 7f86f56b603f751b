package dev.rondo.tools.command;

import dev.rondo.connection.settings.Nearest;
import java.util.Collection;

/** The error for a topic that must exist. */
public final class MissingTopic {
  private MissingTopic() {}

  /**
   * Requires the topic of {@code --topic}.
   *
   * @param existing all topics
   * @param otherwise what the error says where none has a like name
   * @throws CommandException that names one with a like name
   */
  public static void check(String topic, Collection<String> existing, String otherwise) {
    if (!existing.contains(topic)) {
      throw CommandException.refused(
          "topic '%s' does not exist%s (--topic)"
              .formatted(
                  topic,
                  Nearest.like(topic, existing)
                      .map(": did you mean '%s'?"::formatted)
                      .orElse(otherwise)));
    }
  }
}
