package dev.rondo.topology.drops;

import java.util.OptionalLong;

/**
 * A point that was not stored.
 *
 * @param ident ident of its series; null if it could not be read
 * @param tMs time of the point, epoch ms; empty if it could not be read
 * @param previousMs time of the newest point of its series, epoch ms; empty if none, or if the
 *     reason does not need it
 * @param detail error text; null if the reason says enough
 * @param record source record; null after the decode step, which does not pass it on
 */
public record Drop(
    String ident, OptionalLong tMs, OptionalLong previousMs, String detail, RecordId record) {

  /** Key to group drops by: the series, or the error and its partition. */
  String key() {
    if (ident != null || record == null) {
      return String.valueOf(ident);
    }
    return record.topic() + "-" + record.partition() + " " + detail;
  }
}
