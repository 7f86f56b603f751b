package dev.rondo.topology.lag;

import java.util.Locale;

/** Stages of a point in an instance, in order. The sink has the next one, {@code stored}. */
public enum Stage {
  /** Read from its source topic. */
  FETCHED,

  /** Decoded and forwarded. */
  DECODED,

  /** Read from by-series. Points of keyed sources skip this. */
  RECEIVED,

  /** Released by the merge. Points of sources that are not merged skip this. */
  MERGED,

  /** Sent in a row. */
  SENT;

  /** Value of the label {@code stage}. */
  String key() {
    return name().toLowerCase(Locale.ROOT);
  }
}
