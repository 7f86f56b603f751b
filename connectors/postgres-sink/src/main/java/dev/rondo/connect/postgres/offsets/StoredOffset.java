package dev.rondo.connect.postgres.offsets;

import java.util.Map;
import java.util.UUID;

/**
 * How far a partition is applied to the database.
 *
 * @param next offset of the first record that is not applied
 * @param stored whether the table has a row with the id of this topic
 * @param recreated whether only a deleted topic of the same name has been applied, or was assigned
 */
record StoredOffset(long next, boolean stored, boolean recreated) {
  /** Nothing is known: the partition begins at the offset of the consumer group. */
  static final StoredOffset NONE = new StoredOffset(-1, false, false);

  /** The topic was recreated; nothing of the new one is applied. */
  static final StoredOffset RECREATED = new StoredOffset(0, false, true);

  /** The table had a row with the id of this topic, and lacks it: all is written again. */
  static final StoredOffset FORGOTTEN = new StoredOffset(0, false, false);

  /** The table has a row with the id of this topic. */
  static StoredOffset stored(long next) {
    return new StoredOffset(next, true, false);
  }

  boolean isKnown() {
    return next >= 0;
  }

  /**
   * Returns what the rows of a partition say of its log.
   *
   * @param rows next offsets by topic id
   */
  static StoredOffset of(Map<UUID, Long> rows, TopicLogs.Log log) {
    Long ofTopic = rows.get(log.topicId());
    if (ofTopic != null) {
      return stored(ofTopic);
    }
    if (rows.isEmpty() || log.isUnknown()) {
      return NONE;
    }
    Long ofName = rows.get(TopicLogs.Log.UNKNOWN.topicId());
    return ofName != null && rows.size() == 1
        ? new StoredOffset(ofName, false, false) // of this topic, before its id was known
        : RECREATED;
  }

  @Override
  public String toString() {
    return isKnown() ? Long.toString(next) : "offset of the group";
  }
}
