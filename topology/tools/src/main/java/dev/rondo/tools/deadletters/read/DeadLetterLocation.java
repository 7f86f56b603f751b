package dev.rondo.tools.deadletters.read;

import java.util.ArrayList;
import java.util.List;

/**
 * Location of a dead letter, to read it again.
 *
 * @param partition of {@code rondo.dead-letters}
 * @param offset in that partition
 * @param bytes length of its value
 */
public record DeadLetterLocation(int partition, long offset, int bytes) {
  private static final int BATCH_DEAD_LETTERS = 10_000;
  private static final long BATCH_BYTES = 16L * 1024 * 1024;

  /** Splits the locations, in order, into batches whose dead letters fit into memory. */
  public static List<List<DeadLetterLocation>> batches(List<DeadLetterLocation> locations) {
    List<List<DeadLetterLocation>> batches = new ArrayList<>();
    int from = 0;
    long bytes = 0;
    for (int n = 0; n < locations.size(); n++) {
      bytes += locations.get(n).bytes();
      if (n > from && (n - from == BATCH_DEAD_LETTERS || bytes > BATCH_BYTES)) {
        batches.add(locations.subList(from, n));
        from = n;
        bytes = locations.get(n).bytes();
      }
    }
    if (from < locations.size()) {
      batches.add(locations.subList(from, locations.size()));
    }
    return batches;
  }
}
