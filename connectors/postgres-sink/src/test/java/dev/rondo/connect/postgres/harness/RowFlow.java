package dev.rondo.connect.postgres.harness;

import dev.rondo.schemas.BundleRow;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/**
 * Rows as they reach the sink: of a few segments, each in parts, sometimes of a slot of the
 * previous round. A repeated slot has the same values.
 */
public final class RowFlow {
  private static final long STEP_MS = 10_000;
  private static final int SEGMENTS = 4;
  private static final int WIDTH = 8;

  private final String policy;
  private final int size;
  private final Random random;
  private long slot;

  /**
   * Rows of one archive.
   *
   * @param size of the archive: where it is small, a lost row is hidden by the next round
   */
  public RowFlow(String policy, int size, long seed) {
    this.policy = policy;
    this.size = size;
    this.random = new Random(seed);
    this.slot = 5L * size;
  }

  /** The next ones, of a slot each on average. */
  public List<BundleRow> next(int slots) {
    var rows = new ArrayList<BundleRow>();
    for (int s = 0; s < slots; s++) {
      slot++;
      for (int segment = 0; segment < SEGMENTS; segment++) {
        rows.add(row(segment, slot - random.nextInt(3)));
        if (random.nextInt(10) == 0) {
          rows.add(row(segment, slot - size + random.nextInt(3)));
        }
      }
    }
    return rows;
  }

  private BundleRow row(int segment, long of) {
    var dp = new ArrayList<>(Collections.nCopies(1 + random.nextInt(WIDTH), Double.NaN));
    for (int p = 0; p < dp.size(); p++) {
      if (random.nextBoolean()) {
        dp.set(p, segment + of * 100.0 + p / 16.0);
      }
    }
    int i = (int) (of % size);
    return new BundleRow(
        policy, "wmean", STEP_MS, size, WIDTH, 0.5, false, "wmean", segment, i, of * STEP_MS, dp);
  }
}
