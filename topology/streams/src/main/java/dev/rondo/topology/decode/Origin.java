package dev.rondo.topology.decode;

import dev.rondo.topology.drops.RecordId;

/**
 * Origin of the events of a record. It yields their ids, so that each event is stored once however
 * often its record is read: {@code deploys-0@17#0@1700000000000}. The time distinguishes records
 * after a topic is recreated.
 *
 * @param writtenMs timestamp of the record, epoch ms
 */
record Origin(RecordId record, long writtenMs) {
  /**
   * Returns the id of an event.
   *
   * @param n index of the event in the record
   */
  String id(int n) {
    return "%s#%d@%d".formatted(record, n, writtenMs);
  }
}
