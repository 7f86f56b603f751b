package dev.rondo.connect.postgres.offsets;

import java.util.UUID;

/**
 * How far a partition is applied to the database.
 *
 * @param next offset of the first record that is not applied
 * @param stored whether the table has a row with the id of this topic
 */
record StoredOffset(long next, boolean stored) {
  /** Nothing is known: the partition begins at the offset of the consumer group. */
  static final StoredOffset NONE = new StoredOffset(-1, false);

  boolean isKnown() {
    return next >= 0;
  }

  /** Adds a row of the partition to {@code before}, the result of its other rows. */
  static StoredOffset of(UUID id, long next, TopicLogs.Log log, StoredOffset before) {
    if (id.equals(log.topicId())) {
      return new StoredOffset(next, true);
    }
    if (before.stored() || log.isUnknown()) {
      return before;
    }
    // The row is of this topic before it had an id, or of a deleted topic of the same name.
    boolean isOfName = id.equals(TopicLogs.Log.UNKNOWN.topicId());
    return isOfName || !before.isKnown()
        ? new StoredOffset(isOfName ? next : log.begin(), false)
        : before;
  }

  @Override
  public String toString() {
    return isKnown() ? Long.toString(next) : "offset of the group";
  }
}
