package dev.rondo.host;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Graphite plaintext, {@code name value epoch-seconds} a line, and the names that fit in it. */
final class GraphiteLines {
  private static final int DECIMALS = 6;

  private GraphiteLines() {}

  /**
   * The lines of one reading, packed into as few records as hold them.
   *
   * @param parent what every name starts with, without the last dot
   * @param values by name under the parent; NaN and infinities are left out
   * @param epochSeconds time of all of them
   * @param maxBytes bound of a record; a longer line gets a separate record
   * @return records of whole lines, each line ended by {@code \n}; empty when there are no values
   */
  static List<byte[]> pack(
      String parent, Map<String, Double> values, long epochSeconds, int maxBytes) {
    var records = new ArrayList<byte[]>();
    var open = new ByteArrayOutputStream();
    for (Map.Entry<String, Double> value : values.entrySet()) {
      if (!Double.isFinite(value.getValue())) {
        continue;
      }
      byte[] line =
          line(parent + "." + value.getKey(), value.getValue(), epochSeconds).getBytes(UTF_8);
      if (open.size() > 0 && open.size() + line.length > maxBytes) {
        records.add(open.toByteArray());
        open.reset();
      }
      open.writeBytes(line);
    }
    if (open.size() > 0) {
      records.add(open.toByteArray());
    }
    return records;
  }

  /** One line, the value with up to six decimals and never in scientific notation. */
  static String line(String name, double value, long epochSeconds) {
    BigDecimal rounded = new BigDecimal(value).setScale(DECIMALS, RoundingMode.HALF_EVEN);
    return name + " " + rounded.stripTrailingZeros().toPlainString() + " " + epochSeconds + "\n";
  }

  /**
   * One node of a name: lower case; whatever is not a letter, a digit, {@code _} or {@code -}
   * becomes {@code _}, the dot too, which would otherwise make two nodes of it.
   */
  static String safeNode(String text) {
    return text.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9_-]", "_");
  }

  /** Node of a mount point: {@code /} is root, {@code /var/lib} is var_lib, /root is _root. */
  static String mountNode(String mount) {
    String node = safeNode(mount.replaceFirst("^/", ""));
    return switch (node) {
      case "" -> "root";
      case "root" -> "_root";
      default -> node;
    };
  }

  /** Node of a disk: {@code /dev/sda} is sda, {@code /dev/mapper/x} is mapper_x. */
  static String deviceNode(String device) {
    return safeNode(device.replaceFirst("^/dev/", ""));
  }
}
