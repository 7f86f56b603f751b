package dev.rondo.chaos;

import java.util.Locale;

/** What is killed. */
enum Part {
  BROKER("kafka"),
  TOPOLOGY("topology"),
  TOPOLOGY_2(null),
  CONNECT("connect"),
  POSTGRES("postgres"),
  API("api");

  private final String supervised;

  Part(String supervised) {
    this.supervised = supervised;
  }

  /** As {@code ./rondo status} names it; null for what its supervisor does not own. */
  String supervised() {
    return supervised;
  }

  /** As options and reports have it. */
  String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
