package dev.rondo.tools.check;

import dev.rondo.tools.command.PartitionOffsets;
import dev.rondo.tools.command.PastTime;
import java.time.Clock;
import java.util.Map;
import java.util.OptionalLong;
import java.util.regex.Pattern;

/**
 * Which records of a topic are looked at.
 *
 * @param isNewest the newest; else those from a place on
 * @param timeMs written at or after it, epoch ms; empty = not asked for
 * @param offsets by partition, the other partitions are left out; empty = not asked for
 * @param told as a person would say it
 */
record ReadFrom(boolean isNewest, OptionalLong timeMs, Map<Integer, Long> offsets, String told) {
  private static final Pattern OFFSETS = Pattern.compile("\\d+:\\d+(,\\d+:\\d+)*");

  static ReadFrom parse(String from, Clock clock) {
    if (from == null) {
      return new ReadFrom(true, OptionalLong.empty(), Map.of(), "the newest");
    }
    if (from.equals("earliest")) {
      return new ReadFrom(false, OptionalLong.empty(), Map.of(), "the earliest");
    }
    if (OFFSETS.matcher(from).matches()) {
      return new ReadFrom(
          false, OptionalLong.empty(), PartitionOffsets.parse(from, "--from"), "from " + from);
    }
    long ms = PastTime.parseMs(from, clock);
    return new ReadFrom(
        false, OptionalLong.of(ms), Map.of(), "written from " + PastTime.show(ms) + " on");
  }
}
