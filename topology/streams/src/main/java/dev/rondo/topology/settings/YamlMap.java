package dev.rondo.topology.settings;

import dev.rondo.connection.settings.Nearest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/** A mapping of a settings file, with its path in the file for error texts. */
public final class YamlMap {
  private final Map<String, Object> values = new LinkedHashMap<>();
  private final String path;

  /**
   * Wraps a node of the file; throws {@link SettingException} if it is not a mapping.
   *
   * @param path path of the node in the file; empty = the whole file
   */
  public YamlMap(Object node, String path) {
    this.path = path;
    if (!(node instanceof Map<?, ?> map)) {
      throw new SettingException(
          "'%s' is not a mapping of keys to values (%s)"
              .formatted(node, path.isEmpty() ? "the whole file" : path));
    }
    map.forEach((key, value) -> values.put(String.valueOf(key), value));
  }

  /** Rejects other keys, naming the nearest known one. */
  public YamlMap allowing(String... known) {
    for (String key : values.keySet()) {
      if (!Arrays.asList(known).contains(key)) {
        throw new SettingException(
            "unknown key '%s': did you mean '%s'? (%s)"
                .formatted(key, Nearest.to(key, Arrays.asList(known)), key(key)));
      }
    }
    return this;
  }

  /** Whether the key is present and not null. */
  public boolean has(String key) {
    return values.get(key) != null;
  }

  /** All keys, in the order of the file. */
  public Collection<String> keys() {
    return values.keySet();
  }

  /** Returns the key with its path, {@code policies[0].step}. */
  public String key(String key) {
    return path.isEmpty() ? key : path + "." + key;
  }

  /** Returns any value; throws {@link SettingException} if it is missing. */
  public Object get(String key) {
    if (!has(key)) {
      throw new SettingException("'" + key + "' is missing (" + key(key) + ")");
    }
    return values.get(key);
  }

  /**
   * Returns a scalar as text; throws {@link SettingException} for a missing value, a list or a
   * mapping.
   */
  public String text(String key) {
    Object value = get(key);
    if (value instanceof Map || value instanceof List) {
      throw new SettingException("'" + value + "' is not one value (" + key(key) + ")");
    }
    return String.valueOf(value);
  }

  /** Returns a list; throws {@link SettingException} for anything else. */
  public List<?> list(String key) {
    if (get(key) instanceof List<?> list) {
      return new ArrayList<>(list);
    }
    throw new SettingException("'" + get(key) + "' is not a list (" + key(key) + ")");
  }

  /** Returns a list of scalars as texts; throws {@link SettingException} for anything else. */
  public List<String> texts(String key) {
    List<String> texts = new ArrayList<>();
    for (Object item : list(key)) {
      if (item == null || item instanceof Map || item instanceof List) {
        throw new SettingException(
            "'%s' is not a text (%s[%d])".formatted(item, key(key), texts.size()));
      }
      texts.add(String.valueOf(item));
    }
    return texts;
  }

  /** Returns a boolean; throws {@link SettingException} for anything else. */
  public boolean truth(String key) {
    String text = text(key);
    if (!text.equals("true") && !text.equals("false")) {
      throw new SettingException("'" + text + "' is neither true nor false (" + key(key) + ")");
    }
    return text.equals("true");
  }

  /** Returns a regular expression; throws {@link SettingException} for anything else. */
  public Pattern regexp(String key) {
    return regexp(text(key), key(key));
  }

  /** Returns a list of regular expressions; throws {@link SettingException} for anything else. */
  public List<Pattern> regexps(String key) {
    List<Pattern> patterns = new ArrayList<>();
    for (Object item : list(key)) {
      patterns.add(regexp(String.valueOf(item), key(key) + "[" + patterns.size() + "]"));
    }
    return patterns;
  }

  private static Pattern regexp(String text, String path) {
    try {
      return Pattern.compile(text);
    } catch (PatternSyntaxException e) {
      throw new SettingException(
          "'%s' is not a regular expression: %s (%s)".formatted(text, e.getDescription(), path));
    }
  }
}
