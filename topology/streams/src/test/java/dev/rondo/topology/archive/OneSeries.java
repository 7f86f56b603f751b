package dev.rondo.topology.archive;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;

/** One series with its reorder window, as in a segment. */
final class OneSeries {
  static final long HEARTBEAT_MS = 7_000;
  static final long STEP_MS = 1_000;

  private final ConsolidationFunction finest;
  private final long reorderMs;
  private final List<Archive> archives;
  private final SlotSink sink;

  OpenSlots slots;
  private ReorderWindow window;
  private Verdict stored;

  /**
   * A series without points; step 1 s.
   *
   * @param finest wmean: with a heartbeat; last or sum: without
   */
  OneSeries(ConsolidationFunction finest, long reorderMs, List<Archive> archives, SlotSink sink) {
    this.finest = finest;
    this.reorderMs = reorderMs;
    this.archives = archives;
    this.sink = sink;
    this.slots = emptySlots();
    this.window = emptyWindow();
  }

  /** Functions of the points of a finest slot. */
  static Arbitrary<ConsolidationFunction> finest() {
    return Arbitraries.of(
        ConsolidationFunction.WMEAN, ConsolidationFunction.LAST, ConsolidationFunction.SUM);
  }

  private OpenSlots emptySlots() {
    return new OpenSlots(STEP_MS, isWhisper() ? 0 : HEARTBEAT_MS, finest, archives, 1);
  }

  private ReorderWindow emptyWindow() {
    return new ReorderWindow(reorderMs, isWhisper(), 1);
  }

  private boolean isWhisper() {
    return finest != ConsolidationFunction.WMEAN;
  }

  /** The verdict of the window, or of the slots if there is no window. */
  Verdict add(Sent point) {
    Verdict verdict = window.add(0, point.tMs(), point.value(), slots.lateMs(0), this::store);
    return reorderMs == 0 ? stored : verdict;
  }

  void addAll(List<Sent> points) {
    points.forEach(this::add);
  }

  private void store(int series, long tMs, double value) {
    stored = slots.add(series, tMs, value, sink);
  }

  void releaseAll() {
    window.releaseSilent(0, Long.MAX_VALUE, this::store);
  }

  /** Writes and reads back its state. */
  void restart() {
    try {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      DataOutputStream out = new DataOutputStream(bytes);
      OpenSlotsCodec.write(slots, out);
      ReorderWindowCodec.write(window, out);
      DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes.toByteArray()));
      slots = emptySlots();
      OpenSlotsCodec.read(slots, in, (series, untilMs) -> {});
      window = emptyWindow();
      ReorderWindowCodec.read(window, in);
    } catch (IOException e) {
      throw new UncheckedIOException(e); // never: it writes to memory
    }
  }

  /** Prepares the series as a replay does. */
  void rewind() {
    window.rewind(0, slots);
  }
}
