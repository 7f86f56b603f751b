package dev.rondo.chaos.part;

import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;

/** What a fault happens to. */
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

  /** All that always run: a second Connect worker only where a scenario has faults for it. */
  public static Set<Part> usual() {
    return EnumSet.complementOf(EnumSet.of(CONNECT_2));
  }

  /** As {@code ./rondo status} names it; null for what its supervisor does not own. */
  public String supervised() {
    return supervised;
  }

  public boolean isTopology() {
    return this == TOPOLOGY || this == TOPOLOGY_2;
  }

  /** As options and reports have it. */
  public String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
