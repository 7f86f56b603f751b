package dev.rondo.topology.lag;

import java.util.Locale;

/** The stages of a point in an instance, in order; the sink has the next one, {@code stored}. */
public enum Stage {
  /** Read from its source topic. */
  FETCHED,

  /** Decoded and passed on. */
  DECODED,

  /** Read from by-series by the task of its series; points of keyed sources skip this. */
  RECEIVED,

  /** Released by the merge; points of sources that are not merged skip this. */
  MERGED,

  /** In a row that was sent. */
  SENT;

  /** Value of the label {@code stage}. */
  String key() {
    return name().toLowerCase(Locale.ROOT);
  }
}
