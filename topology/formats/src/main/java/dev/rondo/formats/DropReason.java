package dev.rondo.formats;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/** Why a point, or one of its slots, is not stored. Every drop is counted under its reason. */
public enum DropReason {
  /** The record has no bytes. */
  EMPTY("empty", false),
  /** The bytes are not a point in the source's format. */
  UNREADABLE("unreadable", true),
  /** The bytes are valid, but Rondo does not store what they hold. */
  UNSUPPORTED("unsupported", true),
  /** The decoder threw an exception: a fault of Rondo, which the detail names. */
  DECODER_FAILED("decoder-failed", true),
  /** Its record is over {@code record.max.bytes}, {@code .points} or {@code .cpu.ms}. */
  RECORD_OVER_LIMIT("record-over-limit", true),
  /** The value of a field is text. */
  TEXT_VALUE("text-value", false),
  /** The sender marks the value as missing: Prometheus' stale marker, OpenTelemetry's flag. */
  NO_VALUE("no-value", false),
  /** Its series id is not defined by an earlier record. */
  UNKNOWN_ID("unknown-id", true),
  /** The schema registry cannot supply its schema now. */
  UNKNOWN_SCHEMA("unknown-schema", true),
  /** Its ident is longer than {@code ident.max.bytes}. */
  NAME_TOO_LONG("name-too-long", true),
  /** It has more tags than {@code ident.max.tags}. */
  TOO_MANY_TAGS("too-many-tags", true),
  /** Its value is NaN or infinite. */
  NOT_A_NUMBER("not-a-number", true),
  /**
   * Its time is more than {@code max.future.ms} after its record was written. It would make all
   * following points of its series late.
   */
  TOO_FAR_IN_THE_FUTURE("too-far-in-the-future", true),
  /**
   * Its time is before 2000, or so long before its record was written that no archive of its series
   * has a slot for it ({@code max.age.ms}).
   */
  TOO_OLD("too-old", true),
  /**
   * An earlier point of its record has the same ident and time, but another value: the two series
   * differ only in something that the name omits.
   */
  NAME_COLLISION("name-collision", false),
  /** No policy covers its series. */
  NO_POLICY("no-policy", false),
  /** The first policy that covers its series drops it. */
  POLICY_DROPS("policy-drops", false),
  /** Its series was deleted or renamed at or after its time. */
  DELETED("deleted", false),
  /**
   * Its time is before that of the previous point of its series; in Whisper mode, before the open
   * slot.
   */
  LATE("late", false),
  /** Its time equals that of the previous point of its series. */
  DUPLICATE_TIME("duplicate-time", false),
  /**
   * One of its slots ends so far in the future that it would replace recent slots of all series in
   * its row. Counts slots, not points; longer archives store the point.
   */
  SLOT_TOO_FAR_AHEAD("slot-too-far-ahead", false),
  /** Its series is new, and its policy has reached {@code max.series}. */
  TOO_MANY_SERIES("too-many-series", false),
  /** The partition has no segment left for its series, which is new or has lost its policy. */
  TOO_MANY_SEGMENTS("too-many-segments", false),
  /** Its series is new, and the instance has used the heap reserved for series. */
  NO_MEMORY("no-memory", false),
  /** Its series is new, and the limit of new series per second is exceeded. */
  TOO_MANY_NEW_SERIES("too-many-new-series", false);

  private static final Set<DropReason> TRANSIENT =
      EnumSet.of(
          DECODER_FAILED,
          RECORD_OVER_LIMIT,
          UNKNOWN_ID,
          UNKNOWN_SCHEMA,
          SLOT_TOO_FAR_AHEAD,
          TOO_MANY_SERIES,
          TOO_MANY_SEGMENTS,
          NO_MEMORY,
          TOO_MANY_NEW_SERIES);

  private final String key;
  private final boolean isDeadLetter;

  DropReason(String key, boolean isDeadLetter) {
    this.key = key;
    this.isDeadLetter = isDeadLetter;
  }

  /** Returns the reason with this {@link #key}; empty if there is none. */
  public static Optional<DropReason> of(String key) {
    return Arrays.stream(values()).filter(reason -> reason.key.equals(key)).findFirst();
  }

  /** Name in metrics, dead letters and {@code /drops}. */
  public String key() {
    return key;
  }

  /**
   * Whether the bytes are sent to {@code rondo.dead-letters}. Frequent reasons are only counted.
   */
  public boolean isDeadLetter() {
    return isDeadLetter;
  }

  /**
   * Whether the same record can be stored when it is read again or by another instance: the cause
   * is the state of the instance, not the record, the policies or the requests.
   */
  public boolean isTransient() {
    return TRANSIENT.contains(this);
  }
}
