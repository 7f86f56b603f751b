package dev.rondo.history.whisper;

import dev.rondo.history.slots.SlotWriter;
import dev.rondo.topology.archive.Archive;
import dev.rondo.topology.archive.ArchiveShape;
import dev.rondo.topology.policy.Policy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/** Rows of one archive of a segment in a part of its time, in the making. */
final class Window {
  private final Policy policy;
  private final Archive archive;
  private final SlotConversion conversion;
  private final long firstEndMs;
  private final int width;
  private final double[][] rows;

  /**
   * An empty window.
   *
   * @param firstEndMs end of its first slot
   * @param width positions of the segment
   */
  private Window(Policy policy, Archive archive, long firstEndMs, int slots, int width) {
    this.policy = policy;
    this.archive = archive;
    this.conversion = new SlotConversion(policy, archive);
    this.firstEndMs = firstEndMs;
    this.width = width;
    this.rows = new double[slots][];
  }

  /**
   * Windows over all that the archives of a policy keep at a time, in groups.
   *
   * @param untilMs no slot ends later
   * @param maxSlots of the windows of a group together
   */
  static List<List<Window>> groups(
      Policy policy, long nowMs, long untilMs, int width, int maxSlots) {
    List<List<Window>> groups = new ArrayList<>();
    int room = 0;
    for (Archive archive : policy.archives()) {
      ArchiveShape shape = archive.shape();
      long lastEndMs = Math.floorDiv(untilMs, shape.stepMs()) * shape.stepMs();
      long openEndMs = shape.endOf(nowMs + 1); // its row is that of the slot a round before
      long firstEndMs = openEndMs - shape.spanMs() + shape.stepMs();
      while (firstEndMs <= lastEndMs) {
        if (room == 0) {
          groups.add(new ArrayList<>());
          room = maxSlots;
        }
        int slots = (int) Math.min(room, (lastEndMs - firstEndMs) / shape.stepMs() + 1);
        groups.get(groups.size() - 1).add(new Window(policy, archive, firstEndMs, slots, width));
        room -= slots;
        firstEndMs += slots * shape.stepMs();
      }
    }
    return groups;
  }

  /** Adds what a file has for the series at a position. */
  void add(WhisperFile file, Member member) {
    double[] values = conversion.values(file, firstEndMs, rows.length);
    long stepMs = archive.shape().stepMs();
    for (int n = 0; n < values.length; n++) {
      if (!Double.isNaN(values[n]) && member.has(firstEndMs + n * stepMs, stepMs)) {
        if (rows[n] == null) {
          rows[n] = new double[width];
          Arrays.fill(rows[n], Double.NaN);
        }
        rows[n][member.location().pos() - 1] = values[n];
      }
    }
  }

  /** The slots of which a value is known. */
  List<SlotWriter.Slots> slots(int seg) {
    return IntStream.range(0, rows.length)
        .filter(n -> rows[n] != null)
        .mapToObj(
            n ->
                new SlotWriter.Slots(
                    policy, archive, seg, firstEndMs + n * archive.shape().stepMs(), rows[n]))
        .toList();
  }
}
