package dev.rondo.history.whisper;

import dev.rondo.history.locations.Location;
import java.util.List;

/**
 * A file, and a location of its series.
 *
 * @param file relative to the folder
 * @param earlier where the series has lived before
 * @param fromMs slots that begin earlier are not written, epoch ms
 */
record Member(String file, Location location, List<Location> earlier, long fromMs) {
  /**
   * Whether the slot is written to this location. The slot of a move is of both: it is written to
   * the earlier one, whose value is shown where the later one has none, and stays if it is known.
   */
  boolean has(long endMs, long stepMs) {
    return endMs - stepMs >= fromMs
        && location.has(endMs, stepMs)
        && earlier.stream().noneMatch(each -> each.has(endMs, stepMs));
  }
}
