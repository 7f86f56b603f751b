package dev.rondo.loadgen.send;

import java.util.Locale;

/** What a producer sets as the timestamp of a record. */
public enum Timestamps {
  /** The time at which Kafka's producer takes the record, by this machine's clock. */
  NOW,
  /**
   * The time of the record's newest point: what the clock of its machine shows when it sends each
   * point at once, be that clock wrong or the point of hours ago.
   */
  POINTS;

  /** The one of this name; another name is an {@link IllegalArgumentException}. */
  public static Timestamps of(String label) {
    return valueOf(label.toUpperCase(Locale.ROOT));
  }

  /** The name, as in plans and options. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
