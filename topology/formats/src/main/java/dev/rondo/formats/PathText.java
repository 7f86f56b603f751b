package dev.rondo.formats;

/** Dotted names as an ident can hold them. */
final class PathText {
  private PathText() {}

  /** The nodes of {@code name}; empty where it has none. */
  static String of(String name) {
    StringBuilder path = new StringBuilder(name.length());
    append(path, name);
    return path.toString();
  }

  /** Whether {@code name} is a path as it stands. */
  static boolean isPath(String name) {
    boolean isNodeBegun = false;
    for (int at = 0; at < name.length(); at++) {
      char c = name.charAt(at);
      if (c == '.' ? !isNodeBegun : !isAllowed(name, at)) {
        return false;
      }
      isNodeBegun = c != '.';
    }
    return isNodeBegun;
  }

  /** Adds the nodes of {@code name} to those that are there; empty ones vanish. */
  static void append(StringBuilder path, String name) {
    if (isPath(name)) {
      path.append(path.isEmpty() ? "" : ".").append(name);
      return;
    }
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
      path.append(isAllowed(name, at) ? c : '_');
    }
  }

  /** Adds one node; its dots are replaced too. */
  static void appendNode(StringBuilder path, String node) {
    append(path, node.replace('.', '_'));
  }

  private static boolean isAllowed(String name, int at) {
    char c = name.charAt(at);
    return c > ' ' && c != ';' && (c < 0x7f || isAllowedBeyondAscii(name, at));
  }

  private static boolean isAllowedBeyondAscii(String name, int at) {
    char c = name.charAt(at);
    return c != 0x7f && !Character.isWhitespace(c) && !Surrogates.isUnpaired(name, at);
  }
}
