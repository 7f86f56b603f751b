package dev.rondo.formats;

import java.util.Arrays;
import java.util.Optional;

/** Why a point is not stored: the closed list. Each is counted; none is silent. */
public enum DropReason {
  /** The bytes do not hold a point of the topic's format. */
  UNREADABLE("unreadable", true),
  /** The bytes can be read, but hold nothing that a series could have. */
  UNSUPPORTED("unsupported", true),
  /** The value of a field is a text. */
  TEXT_VALUE("text-value", false),
  /** Its sender says that there is no value: Prometheus' stale marker, OpenTelemetry's flag. */
  NO_VALUE("no-value", false),
  /** It names its series by an id that no earlier record has told. */
  UNKNOWN_ID("unknown-id", true),
  /** Its name and tags are longer than {@code ident.max.bytes}. */
  NAME_TOO_LONG("name-too-long", true),
  /** It has more tags than {@code ident.max.tags}. */
  TOO_MANY_TAGS("too-many-tags", true),
  /** Its value is NaN or infinite. */
  NOT_A_NUMBER("not-a-number", true),
  /**
   * It is further ahead of its record's writing than {@code max.future.ms}: it would block its
   * series.
   */
  TOO_FAR_IN_THE_FUTURE("too-far-in-the-future", true),
  /** No policy covers its series. */
  NO_POLICY("no-policy", false),
  /** Its time is before the previous point's of its series. */
  LATE("late", false),
  /** Its time is the previous point's of its series. */
  DUPLICATE_TIME("duplicate-time", false),
  /** Its series is new, and its policy has {@code max.series} already. */
  TOO_MANY_SERIES("too-many-series", false),
  /** The partition has no segment left for a new series. */
  NO_ROOM("no-room", false),
  /** Its series is new, and those of this instance fill what its heap has for them. */
  NO_MEMORY("no-memory", false),
  /** Its series is new, and too many others were lately. */
  TOO_MANY_NEW_SERIES("too-many-new-series", false);

  private final String key;
  private final boolean isDeadLetter;

  DropReason(String key, boolean isDeadLetter) {
    this.key = key;
    this.isDeadLetter = isDeadLetter;
  }

  /** The reason of this {@link #key}; empty where there is none. */
  public static Optional<DropReason> of(String key) {
    return Arrays.stream(values()).filter(reason -> reason.key.equals(key)).findFirst();
  }

  /** Name in metrics, dead letters and {@code /drops}. */
  public String key() {
    return key;
  }

  /** Whether the bytes are kept in {@code rondo.dead-letters}; of the others there may be many. */
  public boolean isDeadLetter() {
    return isDeadLetter;
  }
}
