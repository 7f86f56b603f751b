package dev.rondo.history.job;

import dev.rondo.formats.DropReason;
import dev.rondo.topology.drops.DropTotals;
import java.io.IOException;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;

/** Points that the workers of a job have dropped in all runs, once they have ended. */
final class WorkerDrops {
  private final Map<DropReason, Long> totals = new EnumMap<>(DropReason.class);

  private WorkerDrops() {}

  /**
   * Reads the totals.
   *
   * @param files those of the workers
   */
  static WorkerDrops read(List<Path> files) throws IOException {
    WorkerDrops drops = new WorkerDrops();
    for (Path file : files) {
      DropTotals.read(file)
          .forEach((reason, points) -> drops.totals.merge(reason, points, Long::sum));
    }
    return drops;
  }

  /** Points by reason. */
  SortedMap<String, Long> all() {
    return byReason(reason -> true);
  }

  /** Points by reason that another run may store: it may have values where this one has none. */
  SortedMap<String, Long> passing() {
    return byReason(DropReason::isTransient);
  }

  private SortedMap<String, Long> byReason(Predicate<DropReason> isWanted) {
    SortedMap<String, Long> wanted = new TreeMap<>();
    totals.forEach(
        (reason, points) -> {
          if (isWanted.test(reason)) {
            wanted.put(reason.key(), points);
          }
        });
    return wanted;
  }
}
