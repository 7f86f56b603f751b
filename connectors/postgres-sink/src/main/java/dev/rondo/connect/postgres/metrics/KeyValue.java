package dev.rondo.connect.postgres.metrics;

import java.util.regex.Pattern;
import javax.management.ObjectName;

/**
 * Values in the names of MBeans, quoted as Kafka quotes them. Kafka's own class for it has another
 * package from 4.4 on, and the sink runs in workers of any version.
 */
public final class KeyValue {
  private static final Pattern PLAIN = Pattern.compile("[\\w%. \\t-]*");

  private KeyValue() {}

  /** Returns the value as it stands in a name: quoted if it has other characters than these. */
  public static String of(String value) {
    return PLAIN.matcher(value).matches() ? value : ObjectName.quote(value);
  }

  /** Returns the value that {@link #of} was given. */
  static String unquoted(String value) {
    return value.startsWith("\"") ? ObjectName.unquote(value) : value;
  }
}
