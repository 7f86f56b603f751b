package dev.rondo.tools.size;

import static dev.rondo.tools.size.Coefficients.BROKER_VALUE;
import static dev.rondo.tools.size.Coefficients.CONNECT_VALUE;
import static dev.rondo.tools.size.Coefficients.POSTGRES_VALUE;
import static dev.rondo.tools.size.Coefficients.TOPOLOGY_VALUE;
import static dev.rondo.tools.size.Coefficients.VALUE_BYTES;

import dev.rondo.topology.archive.Archive;
import java.util.Collection;

/**
 * What the slots of series take, however their points arrive.
 *
 * @param rows in full archives, with full segments
 * @param bytes of full archives in PostgreSQL, index included
 * @param values that are written a second
 * @param cores of all parts that write them
 */
public record SlotCost(double rows, double bytes, double values, double cores) {
  public static final SlotCost NONE = new SlotCost(0, 0, 0, 0);

  private static final double VALUE_CPU =
      TOPOLOGY_VALUE + BROKER_VALUE + CONNECT_VALUE + POSTGRES_VALUE;

  /** Returns the cost of series that all have these archives. */
  public static SlotCost of(long series, Collection<Archive> archives) {
    double slots = archives.stream().mapToDouble(archive -> archive.shape().size()).sum();
    double values =
        series * archives.stream().mapToDouble(archive -> 1000.0 / archive.shape().stepMs()).sum();
    double segments = Math.ceil((double) series / Sizing.WIDTH);
    return new SlotCost(
        segments * slots, series * slots * VALUE_BYTES, values, values * VALUE_CPU / 1e6);
  }

  public SlotCost plus(SlotCost other) {
    return new SlotCost(
        rows + other.rows, bytes + other.bytes, values + other.values, cores + other.cores);
  }
}
