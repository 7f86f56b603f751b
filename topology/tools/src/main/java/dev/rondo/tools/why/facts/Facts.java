package dev.rondo.tools.why.facts;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * All facts about one series. Times are epoch ms. An unknown fact is null, as is a stage that was
 * not asked. The {@code error} of a stage says why it did not answer.
 *
 * @param lateMs lag that counts as late
 * @param lags of the topology and the sink in partitions that the series goes through, in the order
 *     of its way
 * @param problems of all parts, from {@code /status} of the query API and {@code ./rondo up}
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Facts(
    long nowMs,
    long lateMs,
    Asked asked,
    Name name,
    Policy policy,
    Sent sent,
    Held held,
    List<Drop> drops,
    Emitted emitted,
    Sink sink,
    Stored stored,
    Shown shown,
    List<Lag> lags,
    List<Problem> problems) {

  /** Newest slots in PostgreSQL; none if it was not asked. */
  public List<Slot> storedSlots() {
    return stored == null ? List.of() : stored.slots();
  }

  /**
   * The newest slot of the finest archive: of those that the policy has, if one of these has a
   * slot. Slots of former archives are old, and may be finer, or of the same step.
   */
  Optional<Slot> finest(List<Slot> slots) {
    List<Slot> own = slots.stream().filter(slot -> policy.hasStep(slot.stepMs())).toList();
    return (own.isEmpty() ? slots : own)
        .stream()
            .min(
                Comparator.comparingLong(Slot::stepMs)
                    .thenComparing(Slot::endMs, Comparator.reverseOrder()));
  }

  /**
   * What is wrong with one of the parts, {@code ": text"} of the worst; empty if nothing is known.
   */
  String because(String... stages) {
    return problems.stream()
        .filter(problem -> List.of(stages).contains(problem.stage()))
        .findFirst()
        .map(problem -> ": " + problem.text())
        .orElse("");
  }

  /**
   * Something that is wrong with a part.
   *
   * @param stage of the pipeline, or a part of {@code ./rondo up}
   * @param docs page that says what to do; null = none
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  @JsonIgnoreProperties(ignoreUnknown = true)
  public record Problem(String state, String stage, String text, String docs) {}

  /**
   * The question.
   *
   * @param stepMs resolution that is missed
   * @param fromMs time from which on the graph is missed
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Asked(String text, String ident, boolean isTagged, Long stepMs, Long fromMs) {}

  /** What {@code rondo.series} says last of the ident. */
  public enum State {
    KNOWN,
    RENAMED,
    /** Its entry was removed: it was deleted or retired. */
    GONE,
    UNKNOWN
  }

  /**
   * The ident in {@code rondo.series}.
   *
   * @param place of its last entry
   * @param atMs when that was written
   * @param deletedBy who has asked to delete it, and when
   * @param nearest names of series that exist, if this one is unknown
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Name(
      String error,
      State state,
      Location location,
      String source,
      Place place,
      Long atMs,
      String renamedTo,
      String deletedBy,
      Long deletedMs,
      List<String> nearest) {
    /** Kafka did not answer. */
    public static Name failed(String error) {
      return new Name(error, State.UNKNOWN, null, null, null, null, null, null, null, List.of());
    }
  }

  /**
   * Where a series is stored.
   *
   * @param position from 1
   */
  public record Location(String policy, int segment, int position, long startsAtMs) {
    /** Whether both are the same position. */
    public boolean isAt(Location other) {
      return policy.equals(other.policy) && segment == other.segment && position == other.position;
    }
  }

  /** A record in a topic. */
  public record Place(String topic, int partition, long offset) {
    @Override
    public String toString() {
      return "%s-%d offset %d".formatted(topic, partition, offset);
    }
  }

  /**
   * The policy of the series.
   *
   * @param version the latest one
   * @param inForce policy that it is stored under; null while it has no location
   * @param now policy that covers it in the latest version
   * @param inFile policy that covers it in the policies file of the settings
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Policy(
      String error,
      int version,
      String inForce,
      String now,
      String inFile,
      boolean drops,
      long stepMs,
      long heartbeatMs,
      long reorderMs,
      long expireAfterMs,
      List<Archive> archives) {
    /** Its versions could not be read. */
    public static Policy failed(String error) {
      return new Policy(error, 0, null, null, null, false, 0, 0, 0, 0, List.of());
    }

    /** Whether it has an archive of this step. */
    boolean hasStep(long stepMs) {
      return archives.stream().anyMatch(archive -> archive.stepMs() == stepMs);
    }

    /** Silence after which a series is silent, ms. */
    public long silenceMs() {
      return heartbeatMs == 0 ? stepMs : heartbeatMs;
    }
  }

  /** An archive of the policy. */
  public record Archive(String function, long stepMs, long spanMs) {}

  /**
   * The series in the newest records of its source.
   *
   * @param topics that were read
   * @param records that were read
   * @param oldestMs when the oldest of them was written
   * @param points of the series that can be stored
   * @param newest of these
   * @param intervalMs median of the times between them
   * @param tasks partitions of the topology that these go to
   * @param rejected its newest point that cannot be stored
   * @param unreadable pieces of any series that are no points
   * @param unreadablePiece the first of them, or the first that names the series
   * @param weakness why records may be too far ahead; null if they may not, or if unknown
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Sent(
      String error,
      List<String> topics,
      int records,
      Long oldestMs,
      int points,
      Sample newest,
      Long intervalMs,
      List<Integer> tasks,
      Sample rejected,
      int unreadable,
      Sample unreadablePiece,
      String weakness) {
    /** The source could not be read. */
    public static Sent failed(String error) {
      return new Sent(error, List.of(), 0, null, 0, null, null, List.of(), null, 0, null, null);
    }
  }

  /**
   * A point, or a piece that is none.
   *
   * @param writtenMs when its record was written
   * @param reason key of the reason for which it cannot be stored; null if it can
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Sample(
      Place place,
      long writtenMs,
      String format,
      Long tMs,
      Double value,
      String reason,
      String detail) {}

  /**
   * What the topology holds of the series.
   *
   * @param instance that has answered
   * @param notReady why an instance does not process points
   * @param merging points that the merge has buffered
   * @param awaited source partitions that these wait for
   * @param reordering points that the reorder window has buffered
   * @param setAside sources that are set aside, by topic, and why
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Held(
      String error,
      String instance,
      String notReady,
      Location location,
      Long newestMs,
      int merging,
      List<String> awaited,
      int reordering,
      List<Open> open,
      Map<String, String> setAside) {
    /** No instance, or not every one, has answered. */
    public static Held failed(String error) {
      return new Held(error, null, null, null, null, 0, List.of(), 0, List.of(), Map.of());
    }
  }

  /** An open slot. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Open(
      String function, long stepMs, long endMs, long knownMs, long leastKnownMs, Double value) {}

  /**
   * Points of the series that were not stored, for one reason.
   *
   * @param where an instance of the topology, or {@code rondo.dead-letters}
   * @param seenMs when the last one was dropped
   * @param tMs its time
   * @param previousMs time of the newest point of the series then
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Drop(
      String where,
      String reason,
      long points,
      Long seenMs,
      Long tMs,
      Long previousMs,
      String detail) {
    /** Whether the last one was dropped at a time or later. */
    boolean isSince(long ms) {
      return seenMs != null && seenMs >= ms;
    }
  }

  /**
   * The newest rows of {@code rondo.bundle-rows} with a value of the series.
   *
   * @param slots of each archive the newest
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Emitted(String error, int records, List<Slot> slots) {}

  /**
   * A value of the series.
   *
   * @param endMs end of the slot
   * @param place of its row; null in PostgreSQL
   * @param atMs when the row was written; null in PostgreSQL
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Slot(
      String function, long stepMs, long endMs, double value, Place place, Long atMs) {}

  /**
   * The sink connector.
   *
   * @param state of the connector, as Connect says it; MISSING: there is none
   * @param tasks state of each
   * @param failure of one that failed
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Sink(
      String error, String connector, String state, List<String> tasks, String failure) {
    /** Whether the connector and its tasks run. */
    public boolean runs() {
      return "RUNNING".equals(state)
          && !tasks.isEmpty()
          && tasks.stream().allMatch("RUNNING"::equals);
    }
  }

  /**
   * The series in PostgreSQL.
   *
   * @param location in {@code ds}; null if it is not there
   * @param slots of each archive the newest known one
   * @param applied offset up to which the sink has applied each partition that the series needs
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Stored(
      String error, Location location, List<Slot> slots, Map<String, Long> applied) {
    /** PostgreSQL has not answered. */
    public static Stored failed(String error) {
      return new Stored(error, null, List.of(), Map.of());
    }
  }

  /**
   * What the query API answers.
   *
   * @param fromMs begin of the graph
   * @param known values in it
   * @param tMs time of the newest
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Shown(
      String error, long fromMs, int known, int points, Long stepMs, Long tMs, Double value) {}

  /**
   * How far a partition is read.
   *
   * @param stage topology, merge (by-series) or sink
   * @param next offset that it reads next; null if it has read nothing
   * @param end offset behind the last record
   * @param waitsMs how long the first unread record has waited; null if there is none
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Lag(String stage, String partition, Long next, long end, Long waitsMs) {}
}
