package dev.rondo.topology.format;

/** Dotted names as an ident can hold them. */
final class PathText {
  private PathText() {}

  /** The nodes of {@code name}; empty where it has none. */
  static String of(String name) {
    StringBuilder path = new StringBuilder(name.length());
    append(path, name);
    return path.toString();
  }

  /** Adds the nodes of {@code name} to those that are there; empty ones vanish. */
  static void append(StringBuilder path, String name) {
    boolean isNodeBegun = false;
    for (int at = 0; at < name.length(); at++) {
      char c = name.charAt(at);
      if (c == '.') {
        isNodeBegun = false;
        continue;
      }
      if (!isNodeBegun && !path.isEmpty()) {
        path.append('.');
      }
      isNodeBegun = true;
      path.append(isAllowed(c) && !Surrogates.isUnpaired(name, at) ? c : '_');
    }
  }

  /** Adds one node; its dots are replaced too. */
  static void appendNode(StringBuilder path, String node) {
    append(path, node.replace('.', '_'));
  }

  private static boolean isAllowed(char c) {
    return c > ' ' && c != ';' && c != 0x7f && (c < 0x80 || !Character.isWhitespace(c));
  }
}
