package dev.rondo.chaos;

import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Random;

/** Which parts are killed: a round of it kills each once, in random order. */
enum Scenario {
  /** Each alone, and two pairs. */
  ALL(EnumSet.allOf(Part.class), true, 2),
  /** Two parts at once, whichever. */
  PAIRS(EnumSet.allOf(Part.class), false, 3),
  BROKER(EnumSet.of(Part.BROKER), true, 0),
  /** One of the two instances. */
  TOPOLOGY(EnumSet.of(Part.TOPOLOGY, Part.TOPOLOGY_2), true, 0),
  CONNECT(EnumSet.of(Part.CONNECT), true, 0),
  POSTGRES(EnumSet.of(Part.POSTGRES), true, 0),
  API(EnumSet.of(Part.API), true, 0),
  /** For comparison. */
  NONE(EnumSet.noneOf(Part.class), false, 0);

  @SuppressWarnings("ImmutableEnumChecker") // List.copyOf
  private final List<Part> parts;

  private final boolean isEachAlone;
  private final int pairs;

  Scenario(EnumSet<Part> parts, boolean isEachAlone, int pairs) {
    this.parts = List.copyOf(parts);
    this.isEachAlone = isEachAlone;
    this.pairs = pairs;
  }

  boolean isQuiet() {
    return parts.isEmpty();
  }

  /** What is killed together, one after the other. */
  List<List<Part>> round(Random random) {
    var round = new ArrayList<List<Part>>();
    if (isEachAlone) {
      parts.forEach(part -> round.add(List.of(part)));
    }
    var mixed = new ArrayList<>(parts);
    Collections.shuffle(mixed, random);
    for (int n = 0; n < pairs; n++) {
      round.add(mixed.subList(2 * n, 2 * n + 2).stream().sorted().toList());
    }
    Collections.shuffle(round, random);
    return round;
  }

  String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
