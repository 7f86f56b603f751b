package dev.rondo.topology.policy;

import dev.rondo.schemas.Ident;
import dev.rondo.topology.archive.Archive;
import dev.rondo.topology.archive.ConsolidationFunction;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Selects series and defines how they are stored.
 *
 * @param name identifies the policy in messages, tables and state
 * @param match pattern to find anywhere in the name of the series
 * @param tags tags that the series must have
 * @param stepMs length of the finest slot, ms
 * @param heartbeatMs longer silences are unknown; 0 = Whisper mode
 * @param finest function of the points of one finest slot: wmean with a heartbeat, last or sum
 *     without
 * @param reorderMs window in which points may arrive out of order; 0 = in order only
 * @param expireAfterMs silence after which a series is retired and its position is reused
 * @param maxSeries maximum number of series of the policy, over all partitions
 * @param emitsOpen whether an open finest slot is emitted as soon as enough of it is known
 * @param aggregate function by which Graphite consolidates the series if a query names none
 * @param archives archives with multiples of {@code stepMs} as their step; none = the policy drops
 *     its series
 */
public record Policy(
    String name,
    Pattern match,
    Map<String, String> tags,
    long stepMs,
    long heartbeatMs,
    ConsolidationFunction finest,
    long reorderMs,
    long expireAfterMs,
    int maxSeries,
    boolean emitsOpen,
    ConsolidationFunction aggregate,
    List<Archive> archives) {
  public Policy {
    tags = Map.copyOf(tags);
    archives = List.copyOf(archives);
  }

  /** Creates a policy that drops its series. */
  static Policy dropping(String name, Pattern match, Map<String, String> tags) {
    return new Policy(
        name,
        match,
        tags,
        1,
        1,
        ConsolidationFunction.WMEAN,
        0,
        1,
        1,
        false,
        ConsolidationFunction.WMEAN,
        List.of());
  }

  /** Whether the policy drops its series instead of storing them. */
  public boolean drops() {
    return archives.isEmpty();
  }

  /** Span of the longest archive, ms; 0 if there is none. */
  public long longestSpanMs() {
    return archives.stream().mapToLong(archive -> archive.shape().spanMs()).max().orElse(0);
  }

  /** Whether points are increments, which add up even if their times are equal. */
  public boolean addsUp() {
    return finest == ConsolidationFunction.SUM;
  }

  /** Whether a point counts only in the finest slot that it falls in, as in Whisper. */
  public boolean isWhisper() {
    return heartbeatMs == 0;
  }

  /**
   * Time without points after which a series is silent, ms: the heartbeat, or in Whisper mode the
   * step.
   */
  public long silenceMs() {
    return isWhisper() ? stepMs : heartbeatMs;
  }

  /** Whether another version of the policy stores series in the same way. */
  public boolean storesAs(Policy other) {
    return stepMs == other.stepMs
        && heartbeatMs == other.heartbeatMs
        && finest == other.finest
        && reorderMs == other.reorderMs
        && expireAfterMs == other.expireAfterMs
        && emitsOpen == other.emitsOpen
        && aggregate == other.aggregate
        && archives.equals(other.archives);
  }

  /** Whether another policy has the same name and selects the same series. */
  boolean selectsAs(Policy other) {
    return name.equals(other.name)
        && drops() == other.drops()
        && match.pattern().equals(other.match.pattern())
        && tags.equals(other.tags);
  }

  /** Whether the policy matches the series. */
  public boolean covers(Ident ident) {
    return match.matcher(ident.name()).find()
        && ident.tags().entrySet().containsAll(tags.entrySet());
  }
}
