package dev.rondo.topology.policy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** One mapping of the policies file, with its place in the file for error texts. */
final class YamlMap {
  private final Map<String, Object> values = new LinkedHashMap<>();
  private final String place;

  YamlMap(Object node, String place) {
    this.place = place;
    if (!(node instanceof Map<?, ?> map)) {
      throw new PolicyException(
          "'%s' is not a mapping of keys to values (%s)"
              .formatted(node, place.isEmpty() ? "the whole file" : place));
    }
    map.forEach((key, value) -> values.put(String.valueOf(key), value));
  }

  /** Refuses every other key and names the nearest known one. */
  YamlMap allowing(String... known) {
    for (String key : values.keySet()) {
      if (!Arrays.asList(known).contains(key)) {
        throw new PolicyException(
            "unknown key '%s': did you mean '%s'? (%s)"
                .formatted(key, Nearest.to(key, Arrays.asList(known)), key(key)));
      }
    }
    return this;
  }

  boolean has(String key) {
    return values.get(key) != null;
  }

  Collection<String> keys() {
    return values.keySet();
  }

  /** The key with its place, {@code policies[0].step}. */
  String key(String key) {
    return place.isEmpty() ? key : place + "." + key;
  }

  Object get(String key) {
    if (!has(key)) {
      throw new PolicyException("'" + key + "' is missing (" + key(key) + ")");
    }
    return values.get(key);
  }

  String text(String key) {
    Object value = get(key);
    if (value instanceof Map || value instanceof List) {
      throw new PolicyException("'" + value + "' is not one value (" + key(key) + ")");
    }
    return String.valueOf(value);
  }

  List<?> list(String key) {
    if (get(key) instanceof List<?> list) {
      return new ArrayList<>(list);
    }
    throw new PolicyException("'" + get(key) + "' is not a list (" + key(key) + ")");
  }
}
