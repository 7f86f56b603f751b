package dev.rondo.tools.check.record;

import dev.rondo.tools.command.PartitionOffsets;
import dev.rondo.tools.command.PastTime;
import java.time.Clock;
import java.util.Map;
import java.util.OptionalLong;
import java.util.regex.Pattern;

/**
 * Selects the records of a topic to read.
 *
 * @param isNewest whether to read the newest records; otherwise those from a time or offset on
 * @param timeMs reads records written at or after it, epoch ms; empty = not given
 * @param offsets by partition, the other partitions are not read; empty = not given
 * @param text description for people
 */
public record SampleStart(
    boolean isNewest, OptionalLong timeMs, Map<Integer, Long> offsets, String text) {
  private static final Pattern OFFSETS = Pattern.compile("\\d+:\\d+(,\\d+:\\d+)*");

  public static SampleStart parse(String from, Clock clock) {
    if (from == null) {
      return new SampleStart(true, OptionalLong.empty(), Map.of(), "the newest");
    }
    if (from.equals("earliest")) {
      return new SampleStart(false, OptionalLong.empty(), Map.of(), "the earliest");
    }
    if (OFFSETS.matcher(from).matches()) {
      return new SampleStart(
          false, OptionalLong.empty(), PartitionOffsets.parse(from, "--from"), "from " + from);
    }
    long ms = PastTime.parseMs(from, clock);
    return new SampleStart(
        false, OptionalLong.of(ms), Map.of(), "written from " + PastTime.show(ms) + " on");
  }
}
