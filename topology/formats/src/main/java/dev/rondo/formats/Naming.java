package dev.rondo.formats;

import java.nio.charset.StandardCharsets;

/**
 * Makes the ident of a series of what a format tells of it: {@code measurement.field;key=value…},
 * labels sorted by key, or as the {@link NameRules} of its source have it. White space, control
 * characters and {@code ;} in the name are replaced by {@code _}, and its empty nodes vanish
 * ({@code a..b.} is {@code a.b}). Not safe to share between threads.
 */
public final class Naming {
  private static final String FIELD_OF_ONE_VALUE = "value";
  private static final Labels NO_LABELS = new Labels();

  private final int identMaxBytes;
  private final int identMaxTags;
  private final boolean isPlain;
  private final Template template;
  private final String prefix;
  private final RuledLabels ruled;
  private final StringBuilder ident = new StringBuilder(128);

  /** Of names as the format tells them. Idents beyond a limit are dropped. */
  public Naming(int identMaxBytes, int identMaxTags) {
    this(identMaxBytes, identMaxTags, NameRules.NONE);
  }

  /**
   * Idents beyond a limit are dropped.
   *
   * @param identMaxBytes longest ident, UTF-8
   * @param identMaxTags most tags of an ident
   */
  public Naming(int identMaxBytes, int identMaxTags, NameRules rules) {
    this.identMaxBytes = identMaxBytes;
    this.identMaxTags = identMaxTags;
    this.isPlain = rules.isNone();
    this.template = rules.template().orElse(null);
    this.prefix = PathText.of(rules.prefix());
    this.ruled = new RuledLabels(rules);
  }

  /** Whether an ident that is canonical stays as it is: no rule changes any. */
  public boolean isPlain() {
    return isPlain;
  }

  /**
   * The canonical ident.
   *
   * @param measurement what is measured: the name, or its first part
   * @param field the rest of the name where a format has one; empty = none, as is {@code value}
   * @param labels stay as they are
   * @throws DroppedException where there is no name, or a limit is passed
   */
  public String ident(String measurement, String field, Labels labels) throws DroppedException {
    String told = field.equals(FIELD_OF_ONE_VALUE) ? "" : field;
    if (labels.size() == 0 && told.isEmpty() && isPlain && PathText.isPath(measurement)) {
      checkBytes(measurement);
      return measurement;
    }
    Labels tags = isPlain ? labels : ruled.of(labels);
    begin();
    if (template == null) {
      PathText.append(ident, measurement);
      PathText.append(ident, told);
    } else {
      template.append(ident, measurement, told, tags);
      keep(Template.MEASUREMENT, measurement, tags);
      keep(Template.FIELD, told, tags);
    }
    return finish(tags, measurement);
  }

  /**
   * The canonical ident where a format has a path of its own: {@code path}. Only a template asks
   * for its parts, and has what is left of them as tags; its {@code measurement} is the path.
   *
   * @param parts what the path is made of; stay as they are
   * @throws DroppedException where there is no name, or a limit is passed
   */
  public String path(String path, Labels parts) throws DroppedException {
    begin();
    if (template == null) {
      PathText.append(ident, path);
      return finish(NO_LABELS, path);
    }
    Labels tags = ruled.of(parts);
    template.append(ident, path, "", tags);
    return finish(tags, path);
  }

  private void begin() {
    ident.setLength(0);
    ident.append(prefix);
  }

  /** What the template does not name tells series apart all the same. */
  private void keep(String word, String value, Labels tags) {
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
              : "'%s' has nothing that the template names (template)".formatted(Excerpt.of(name)));
    }
    checkTags(tags.size(), name);
    for (int n = 0; n < tags.size(); n++) {
      ident.append(';').append(tags.key(n)).append('=').append(tags.value(n));
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

  private void checkBytes(String text) throws DroppedException {
    int bytes =
        3L * text.length() <= identMaxBytes // no character has more in UTF-8
            ? 0
            : text.getBytes(StandardCharsets.UTF_8).length;
    if (bytes > identMaxBytes) {
      throw new DroppedException(
          DropReason.NAME_TOO_LONG,
          "name of %d bytes, more than %d (ident.max.bytes): '%s'"
              .formatted(bytes, identMaxBytes, Excerpt.of(text)));
    }
  }
}
