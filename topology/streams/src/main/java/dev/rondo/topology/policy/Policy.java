package dev.rondo.topology.policy;

import dev.rondo.schemas.Ident;
import dev.rondo.topology.archive.Archive;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Which series are kept, and how.
 *
 * @param name names the policy in messages, tables and state
 * @param match found anywhere in the series' name
 * @param tags narrow it: each must be there with this value
 * @param stepMs length of the finest slot, ms
 * @param heartbeatMs a longer silence is unknown; 0 = Whisper mode
 * @param reorderMs window in which points may come out of order; 0 = in order only
 * @param expireAfterMs a series silent for longer gives its position away
 * @param maxSeries most series that the policy keeps, over all partitions
 * @param archives each with a step that is a multiple of {@code stepMs}
 */
public record Policy(
    String name,
    Pattern match,
    Map<String, String> tags,
    long stepMs,
    long heartbeatMs,
    long reorderMs,
    long expireAfterMs,
    int maxSeries,
    List<Archive> archives) {
  public Policy {
    tags = Map.copyOf(tags);
    archives = List.copyOf(archives);
  }

  /** Whether a point sets the finest slot that it falls in, as Whisper does. */
  public boolean isWhisper() {
    return heartbeatMs == 0;
  }

  /**
   * A series without points for longer is silent, ms: the heartbeat, or in Whisper mode the step.
   */
  public long silenceMs() {
    return isWhisper() ? stepMs : heartbeatMs;
  }

  /** Whether this policy is the one for the series, if no earlier one is. */
  public boolean covers(Ident ident) {
    return match.matcher(ident.name()).find()
        && ident.tags().entrySet().containsAll(tags.entrySet());
  }
}
