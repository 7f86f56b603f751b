package dev.rondo.formats;

import java.nio.charset.StandardCharsets;

/**
 * Builds the ident of a series: {@code measurement.field;key=value…}, labels sorted by key, or by
 * the {@link NameRules} of its source. In the name, white space, control characters and {@code ;}
 * become {@code _}, and empty nodes are removed ({@code a..b.} becomes {@code a.b}). Not
 * thread-safe.
 */
public final class Naming {
  private static final String SINGLE_FIELD = "value";

  /**
   * Longest ident to build, characters: above any {@code ident.max.bytes}, and cheap enough to copy
   * for each of thousands of points.
   */
  private static final int LONGEST = 4096;

  private static final Labels NO_LABELS = new Labels();

  private final int identMaxBytes;
  private final int identMaxTags;
  private final boolean isPlain;
  private final Template template;
  private final String prefix;
  private final RuledLabels ruled;
  private final StringBuilder ident = new StringBuilder(128);

  public Naming(int identMaxBytes, int identMaxTags) {
    this(identMaxBytes, identMaxTags, NameRules.NONE);
  }

  /**
   * @param identMaxBytes longest ident, UTF-8; longer ones are dropped
   * @param identMaxTags maximum number of tags; idents with more are dropped
   */
  public Naming(int identMaxBytes, int identMaxTags, NameRules rules) {
    this.identMaxBytes = identMaxBytes;
    this.identMaxTags = identMaxTags;
    this.isPlain = rules.isNone();
    this.template = rules.template().orElse(null);
    this.prefix = PathText.of(rules.prefix());
    this.ruled = new RuledLabels(rules);
  }

  /** Whether there are no rules, so that a canonical ident stays as it is. */
  public boolean isPlain() {
    return isPlain;
  }

  /**
   * Builds the canonical ident.
   *
   * @param measurement the name, or its first part
   * @param field the rest of the name; empty or {@code value} = none
   * @param labels are not modified
   * @throws DroppedException without a name, or beyond a limit
   */
  public String ident(String measurement, String field, Labels labels) throws DroppedException {
    String fieldName = field.equals(SINGLE_FIELD) ? "" : field;
    checkLength((long) measurement.length() + fieldName.length(), measurement);
    if (labels.size() == 0 && fieldName.isEmpty() && isPlain && PathText.isPath(measurement)) {
      checkBytes(measurement);
      return measurement;
    }
    Labels tags = isPlain ? labels : ruled.of(labels);
    begin();
    if (template == null) {
      PathText.append(ident, measurement);
      PathText.append(ident, fieldName);
    } else {
      checkLength(tags, measurement);
      template.append(ident, measurement, fieldName, tags);
      addUnnamed(Template.MEASUREMENT, measurement, tags);
      addUnnamed(Template.FIELD, fieldName, tags);
    }
    return finish(tags, measurement);
  }

  /**
   * Builds the canonical ident of a series with a ready-made path. Only a template uses the parts:
   * {@code measurement} is the path, and parts that the template does not name become tags.
   *
   * @param parts of the path; are not modified
   * @throws DroppedException without a name, or beyond a limit
   */
  public String path(String path, Labels parts) throws DroppedException {
    begin();
    if (template == null || template.names(Template.MEASUREMENT)) {
      checkLength(path.length(), path);
    }
    if (template == null) {
      PathText.append(ident, path);
      return finish(NO_LABELS, path);
    }
    Labels tags = ruled.of(parts);
    checkLength(tags, path);
    template.append(ident, path, "", tags);
    return finish(tags, path);
  }

  private void begin() {
    ident.setLength(0);
    ident.append(prefix);
  }

  /** Adds a part that the template does not name as a tag, so that series stay distinct. */
  private void addUnnamed(String word, String value, Labels tags) {
    if (!template.names(word) && !value.isEmpty()) {
      String key = word;
      while (tags.get(key) != null) {
        key = "_" + key;
      }
      tags.put(key, value);
    }
  }

  private String finish(Labels tags, String name) throws DroppedException {
    if (ident.length() == prefix.length()) {
      throw DroppedException.unreadable(
          template == null
              ? "no name in '" + Excerpt.of(name) + "'"
              : "'%s' has none of the parts that the template names (template)"
                  .formatted(Excerpt.of(name)));
    }
    checkTags(tags.size(), name);
    for (int n = 0; n < tags.size(); n++) {
      String key = tags.key(n);
      String value = tags.value(n);
      checkLength((long) ident.length() + key.length() + value.length(), name);
      ident.append(';').append(key).append('=').append(value);
    }
    String text = ident.toString();
    checkBytes(text);
    return text;
  }

  private void checkTags(int tags, String name) throws DroppedException {
    if (tags > identMaxTags) {
      throw new DroppedException(
          DropReason.TOO_MANY_TAGS,
          "%d tags, more than %d (ident.max.tags): '%s'"
              .formatted(tags, identMaxTags, Excerpt.of(name)));
    }
  }

  private void checkLength(Labels tags, String name) throws DroppedException {
    long characters = 0;
    for (int n = 0; n < tags.size(); n++) {
      characters += tags.value(n).length();
    }
    checkLength(characters, name);
  }

  /** Rejects an ident before its parts are concatenated. */
  private void checkLength(long characters, String name) throws DroppedException {
    if (characters > LONGEST) {
      throw tooLong("at least " + characters + " characters", name);
    }
  }

  private DroppedException tooLong(String length, String name) {
    return new DroppedException(
        DropReason.NAME_TOO_LONG,
        "name of %s, more than %d (ident.max.bytes): '%s'"
            .formatted(length, identMaxBytes, Excerpt.of(name)));
  }

  private void checkBytes(String text) throws DroppedException {
    int bytes =
        3L * text.length() <= identMaxBytes // at most 3 bytes a char in UTF-8
            ? 0
            : text.getBytes(StandardCharsets.UTF_8).length;
    if (bytes > identMaxBytes) {
      throw tooLong(bytes + " bytes", text);
    }
  }
}
