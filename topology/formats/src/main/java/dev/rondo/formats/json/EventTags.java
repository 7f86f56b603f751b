package dev.rondo.formats.json;

import dev.rondo.formats.DropReason;
import dev.rondo.formats.DroppedException;
import dev.rondo.formats.Excerpt;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Combines the tags of events. Tags that begin with {@code scope:} control who may see an event in
 * the query API, so the source sets them and its senders cannot.
 *
 * @param ofSource tags added to every event
 */
record EventTags(List<String> ofSource) {
  private static final String SCOPE = "scope:";
  private static final int MAX_TAGS = 100;
  private static final Pattern SEPARATORS =
      Pattern.compile("[\\s,]+", Pattern.UNICODE_CHARACTER_CLASS);

  /**
   * Returns the distinct tags of an event, the sender's first.
   *
   * @param texts tags of the sender, separated by commas or white space
   * @throws DroppedException if there are too many, or one names a scope that the source does not
   *     set
   */
  List<String> with(List<String> texts) throws DroppedException {
    String sent = EventText.TAGS.checked(String.join(" ", texts));
    Set<String> tags = new LinkedHashSet<>();
    for (String tag : SEPARATORS.split(sent, -1)) {
      if (tag.startsWith(SCOPE) && !ofSource.contains(tag)) {
        throw new DroppedException(
            DropReason.UNSUPPORTED,
            "tag '%s' names a scope, which only the source can set (tags)"
                .formatted(Excerpt.of(tag)));
      }
      if (!tag.isEmpty()) {
        tags.add(tag);
      }
    }
    if (tags.size() > MAX_TAGS) {
      throw DroppedException.unreadable("%d tags, more than %d".formatted(tags.size(), MAX_TAGS));
    }
    tags.addAll(ofSource);
    return List.copyOf(tags);
  }
}
