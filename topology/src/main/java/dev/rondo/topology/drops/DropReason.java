package dev.rondo.topology.drops;

import java.util.Arrays;
import java.util.Optional;

/** Why a point is not stored: the closed list. Each is counted; none is silent. */
public enum DropReason {
  /** The bytes do not hold a point of the topic's format. */
  UNREADABLE("unreadable"),
  /** Its name and tags are longer than {@code ident.max.bytes}. */
  NAME_TOO_LONG("name-too-long"),
  /** It has more tags than {@code ident.max.tags}. */
  TOO_MANY_TAGS("too-many-tags"),
  /** Its value is NaN or infinite. */
  NOT_A_NUMBER("not-a-number"),
  /**
   * It is further ahead of its record's writing than {@code max.future.ms}: it would block its
   * series.
   */
  TOO_FAR_IN_THE_FUTURE("too-far-in-the-future"),
  /** No policy covers its series. */
  NO_POLICY("no-policy"),
  /** Its time is before the previous point's of its series. */
  LATE("late"),
  /** Its time is the previous point's of its series. */
  DUPLICATE_TIME("duplicate-time"),
  /** Its series is new, and its policy has {@code max.series} already. */
  TOO_MANY_SERIES("too-many-series"),
  /** The partition has no segment left for a new series. */
  NO_ROOM("no-room");

  private final String key;

  DropReason(String key) {
    this.key = key;
  }

  /** The reason of this {@link #key}; empty where there is none. */
  public static Optional<DropReason> of(String key) {
    return Arrays.stream(values()).filter(reason -> reason.key.equals(key)).findFirst();
  }

  /** Name in metrics, dead letters and {@code /drops}. */
  public String key() {
    return key;
  }
}
