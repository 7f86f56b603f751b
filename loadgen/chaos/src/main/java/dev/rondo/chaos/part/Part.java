package dev.rondo.chaos.part;

import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** A part of Rondo that a fault can hit. */
public enum Part {
  BROKER("kafka"),
  BROKER_2(null),
  BROKER_3(null),
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
   * The parts of every scenario. A second Connect worker runs only if a scenario has faults for it,
   * and further brokers only if they are asked for.
   */
  public static Set<Part> usual() {
    return EnumSet.complementOf(EnumSet.of(CONNECT_2, BROKER_2, BROKER_3));
  }

  /** The brokers of a cluster of three, in the order of their nodes. */
  public static List<Part> brokers() {
    return List.of(BROKER, BROKER_2, BROKER_3);
  }

  /**
   * Name in {@code ./rondo status}; null if chaos itself manages the part, as it does all brokers
   * of a cluster.
   */
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
