package dev.rondo.topology.archive;

import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;

/** Records the emitted slots: all of them in order, and the last value of each. */
final class Emitted implements SlotSink {
  final List<String> inOrder = new ArrayList<>();
  final NavigableMap<Long, Double> firstArchive = new TreeMap<>();
  final NavigableMap<Long, Double> secondArchive = new TreeMap<>();

  @Override
  public void slot(int archive, int series, long endMs, double value) {
    inOrder.add(archive + "@" + endMs + "=" + value);
    (archive == 0 ? firstArchive : secondArchive).put(endMs, value);
  }

  void forget() {
    inOrder.clear();
    firstArchive.clear();
    secondArchive.clear();
  }
}
