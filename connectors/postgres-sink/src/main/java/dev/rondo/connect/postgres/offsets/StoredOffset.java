package dev.rondo.connect.postgres.offsets;

import java.util.UUID;

/**
 * How far a partition is applied.
 *
 * @param next all records before it are applied
 * @param entered whether the table has a row that says so of this very topic
 */
record StoredOffset(long next, boolean entered) {
  /** Nothing is known: it begins where the consumer group is. */
  static final StoredOffset NONE = new StoredOffset(-1, false);

  boolean isKnown() {
    return next >= 0;
  }

  /** What a row of the partition says; {@code before}: what its other rows say. */
  static StoredOffset of(UUID id, long next, TopicLogs.Log log, StoredOffset before) {
    if (id.equals(log.topicId())) {
      return new StoredOffset(next, true);
    }
    if (before.entered() || log.isUnknown()) {
      return before;
    }
    // Of a topic that had no id yet; or of one that was deleted, and this one has its name.
    boolean isOfName = id.equals(TopicLogs.Log.UNKNOWN.topicId());
    return isOfName || !before.isKnown()
        ? new StoredOffset(isOfName ? next : log.begin(), false)
        : before;
  }

  @Override
  public String toString() {
    return isKnown() ? Long.toString(next) : "where the group is";
  }
}
