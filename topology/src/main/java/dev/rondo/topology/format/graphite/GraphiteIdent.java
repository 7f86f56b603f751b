package dev.rondo.topology.format.graphite;

import dev.rondo.topology.format.DroppedException;
import dev.rondo.topology.format.Excerpt;
import java.util.Map;
import java.util.TreeMap;

/**
 * Canonical ident of a Graphite path, by carbon's rules: tags sorted by key, the last of equal keys
 * wins, a tag {@code name} gives way to the name; empty nodes of the path vanish ({@code a..b.} is
 * {@code a.b}), as they do in Whisper's folders.
 */
final class GraphiteIdent {
  private GraphiteIdent() {}

  static String canonical(String path) throws DroppedException {
    int nameEnd = path.indexOf(';');
    String name = withoutEmptyNodes(nameEnd < 0 ? path : path.substring(0, nameEnd));
    if (name.isEmpty()) {
      throw DroppedException.unreadable("no name in '" + Excerpt.of(path) + "'");
    }
    if (nameEnd < 0) {
      return name;
    }
    StringBuilder canonical = new StringBuilder(path.length()).append(name);
    tags(path, nameEnd + 1)
        .forEach((key, value) -> canonical.append(';').append(key).append('=').append(value));
    return canonical.toString();
  }

  private static Map<String, String> tags(String path, int from) throws DroppedException {
    Map<String, String> tags = new TreeMap<>();
    for (String tag : path.substring(from).split(";", -1)) {
      int equals = tag.indexOf('=');
      if (equals < 1 || equals == tag.length() - 1) {
        throw DroppedException.unreadable("tag '" + Excerpt.of(tag) + "' is not key=value");
      }
      String key = tag.substring(0, equals);
      if (key.indexOf('!') >= 0 || key.indexOf('^') >= 0) {
        throw DroppedException.unreadable("tag key '" + Excerpt.of(key) + "' holds '!' or '^'");
      }
      String value = tag.substring(equals + 1);
      if (value.charAt(0) == '~') {
        throw DroppedException.unreadable("tag value '" + Excerpt.of(value) + "' begins with '~'");
      }
      if (!key.equals("name")) {
        tags.put(key, value);
      }
    }
    return tags;
  }

  private static String withoutEmptyNodes(String name) {
    if (!name.startsWith(".") && !name.endsWith(".") && !name.contains("..")) {
      return name;
    }
    StringBuilder kept = new StringBuilder(name.length());
    for (String node : name.split("\\.", -1)) {
      if (!node.isEmpty()) {
        kept.append(kept.isEmpty() ? "" : ".").append(node);
      }
    }
    return kept.toString();
  }
}
