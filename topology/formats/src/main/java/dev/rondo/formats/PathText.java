package dev.rondo.formats;

/** Converts dotted names to the name part of an ident. */
final class PathText {
  private PathText() {}

  /** Returns the nodes of {@code name}; empty without nodes. */
  static String of(String name) {
    StringBuilder path = new StringBuilder(name.length());
    append(path, name);
    return path.toString();
  }

  /** Whether {@code name} is valid as it is. */
  static boolean isPath(String name) {
    boolean inNode = false;
    for (int at = 0; at < name.length(); at++) {
      char c = name.charAt(at);
      if (c == '.' ? !inNode : !isAllowed(name, at)) {
        return false;
      }
      inNode = c != '.';
    }
    return inNode;
  }

  /** Appends the nodes of {@code name}, without empty ones. */
  static void append(StringBuilder path, String name) {
    if (isPath(name)) {
      path.append(path.isEmpty() ? "" : ".").append(name);
      return;
    }
    boolean inNode = false;
    for (int at = 0; at < name.length(); at++) {
      char c = name.charAt(at);
      if (c == '.') {
        inNode = false;
        continue;
      }
      if (!inNode && !path.isEmpty()) {
        path.append('.');
      }
      inNode = true;
      path.append(isAllowed(name, at) ? c : '_');
    }
  }

  /** Appends one node; its dots become {@code _}. */
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
