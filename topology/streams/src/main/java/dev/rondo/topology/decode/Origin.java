package dev.rondo.topology.decode;

import dev.rondo.topology.drops.RecordId;

/**
 * Where events come from. Their identity, so that each is stored once, however often its record is
 * read: {@code deploys-0@17#0@1700000000000}. The time tells records of a topic that was deleted
 * and created again from those before.
 *
 * @param writtenMs timestamp of the record, epoch ms
 */
record Origin(RecordId record, long writtenMs) {
  /**
   * The identity of an event.
   *
   * @param n its number among the events of the record, from 0
   */
  String of(int n) {
    return "%s#%d@%d".formatted(record, n, writtenMs);
  }
}
