package dev.rondo.topology.drops;

import java.util.OptionalLong;

/**
 * A point that was not stored, with all that is known of it.
 *
 * @param ident canonical text of its series; null where the bytes do not emit it
 * @param tMs its time, epoch ms; empty where the bytes do not emit it
 * @param previousMs time of the newest point of its series, epoch ms; empty where there is none, or
 *     where it does not matter
 * @param detail what is wrong, for a person to read; null where the reason says it all
 * @param place the record that it came in; null once it has left that
 */
public record Drop(
    String ident, OptionalLong tMs, OptionalLong previousMs, String detail, RecordId place) {

  /** Drops of one key are told as one: those of a series, or of equal fault in one partition. */
  String key() {
    if (ident != null || place == null) {
      return String.valueOf(ident);
    }
    return place.topic() + "-" + place.partition() + " " + detail;
  }
}
