package dev.rondo.history.whisper;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Collection;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The series of a Whisper file, by its path below carbon's storage folder, as carbon was sent it.
 *
 * <pre>
 *   a/b/c.wsp                                  a.b.c
 *   _tagged/0c4/9f2/disk_DOT_used;host=a.wsp   disk.used;host=a
 *   _tagged/0c4/9f2/0c49f2….wsp                the name with this SHA-256, if it is known
 * </pre>
 */
final class GraphitePath {
  static final String SUFFIX = ".wsp";

  private static final Pattern TAGGED =
      Pattern.compile("_tagged/[0-9a-f]{3}/[0-9a-f]{3}/(.+)", Pattern.DOTALL);
  private static final Pattern HASH = Pattern.compile("[0-9a-f]{64}");

  private final Map<String, String> namesByHash = new HashMap<>();

  /**
   * Knows tagged names.
   *
   * @param names {@code name;k=v;k2=v2}, as carbon stored them: tags sorted
   */
  GraphitePath(Collection<String> names) {
    names.forEach(name -> namesByHash.put(hash(name), name));
  }

  /**
   * The series of a file.
   *
   * @param file relative path with {@code /}, ends with {@code .wsp}
   */
  String of(String file) throws UnreadableFileException {
    String path = file.substring(0, file.length() - SUFFIX.length());
    Matcher tagged = TAGGED.matcher(path);
    if (!tagged.matches()) {
      return path.replace('/', '.');
    }
    String name = tagged.group(1);
    if (!HASH.matcher(name).matches()) {
      return name.replace("_DOT_", ".");
    }
    String known = namesByHash.get(name);
    if (known == null) {
      throw new UnreadableFileException(
          "its name is only a hash, of none of the names given (--names)");
    }
    return known;
  }

  private static String hash(String name) {
    try {
      return HexFormat.of()
          .formatHex(MessageDigest.getInstance("SHA-256").digest(name.getBytes(UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e); // each Java has it
    }
  }
}
