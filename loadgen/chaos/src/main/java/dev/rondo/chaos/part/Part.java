package dev.rondo.chaos.part;

import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;

/** A part of Rondo that a fault can hit. */
public enum Part {
  BROKER("kafka"),
  TOPOLOGY("topology"),
  TOPOLOGY_2(null),
  CONNECT("connect"),
  CONNECT_2(null),
  POSTGRES("postgres"),
  API("api");

  private final String supervised;

  Part(String supervised) {
    this.supervised = supervised;
  }

  /**
   * The parts of every scenario. A second Connect worker runs only if a scenario has faults for it.
   */
  public static Set<Part> usual() {
    return EnumSet.complementOf(EnumSet.of(CONNECT_2));
  }

  /** Name in {@code ./rondo status}; null if chaos itself manages the part. */
  public String supervised() {
    return supervised;
  }

  public boolean isTopology() {
    return this == TOPOLOGY || this == TOPOLOGY_2;
  }

  /** Name in options and reports. */
  public String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
