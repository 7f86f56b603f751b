package dev.rondo.topology.drops;

import java.util.OptionalLong;

/**
 * A point that was not stored, with everything known about it.
 *
 * @param ident canonical text of its series; null if it could not be read
 * @param tMs its time, epoch ms; empty if it could not be read
 * @param previousMs time of the newest point of its series, epoch ms; empty without one, or if the
 *     reason does not need it
 * @param detail the error, for people; null if the reason says enough
 * @param record source record; null after the decode step, where it is no longer known
 */
public record Drop(
    String ident, OptionalLong tMs, OptionalLong previousMs, String detail, RecordId record) {

  /** Groups drops: those of a series, or with the same error in one partition. */
  String key() {
    if (ident != null || record == null) {
      return String.valueOf(ident);
    }
    return record.topic() + "-" + record.partition() + " " + detail;
  }
}
