package dev.rondo.loadgen.send;

import java.util.Locale;

/** What a producer sets as the timestamp of a record. */
public enum Timestamps {
  /** The time at which Kafka's producer takes the record, by this machine's clock. */
  NOW,
  /**
   * The time of the record's newest point, as from a machine that sends each point at once: its
   * clock may be wrong, and the point may be hours old.
   */
  POINTS;

  /** Looks up a label; throws {@link IllegalArgumentException} for an unknown one. */
  public static Timestamps of(String label) {
    return valueOf(label.toUpperCase(Locale.ROOT));
  }

  /** The name, as in plans and options. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
