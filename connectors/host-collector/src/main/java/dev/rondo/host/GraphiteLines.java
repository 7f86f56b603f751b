package dev.rondo.host;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Graphite plaintext, {@code name value epoch-seconds} a line, and names that are valid in it. */
final class GraphiteLines {
  private static final int DECIMALS = 6;

  private GraphiteLines() {}

  /**
   * Packs the lines of one reading into as few records as possible.
   *
   * @param parent prefix of every name, without the last dot
   * @param values by name under the parent; NaN and infinities are skipped
   * @param epochSeconds time of all values
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

  /** Formats one line; the value has up to six decimals and no exponent. */
  static String line(String name, double value, long epochSeconds) {
    BigDecimal rounded = new BigDecimal(value).setScale(DECIMALS, RoundingMode.HALF_EVEN);
    return name + " " + rounded.stripTrailingZeros().toPlainString() + " " + epochSeconds + "\n";
  }

  /**
   * Returns a valid node: lower case, with {@code _} for any character, dots included, that is not
   * a letter, a digit, {@code _} or {@code -}.
   */
  static String safeNode(String text) {
    return text.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9_-]", "_");
  }

  /**
   * Returns the node of a mount point: {@code /} is root, {@code /var/lib} is var_lib, /root is
   * _root.
   */
  static String mountNode(String mount) {
    String node = safeNode(mount.replaceFirst("^/", ""));
    return switch (node) {
      case "" -> "root";
      case "root" -> "_root";
      default -> node;
    };
  }

  /** Returns the node of a disk: {@code /dev/sda} is sda, {@code /dev/mapper/x} is mapper_x. */
  static String deviceNode(String device) {
    return safeNode(device.replaceFirst("^/dev/", ""));
  }
}
