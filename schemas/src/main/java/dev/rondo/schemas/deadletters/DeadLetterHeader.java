package dev.rondo.schemas.deadletters;

/**
 * Names of the headers of {@code rondo.dead-letters}. Numbers are decimal text; the README of this
 * module gives their meaning.
 */
public final class DeadLetterHeader {
  /** Prefix of the headers that the topology adds. */
  public static final String PREFIX = "rondo.";

  /** Prefix of the headers that Kafka Connect adds to a record that the sink rejected. */
  public static final String CONNECT_PREFIX = "__connect.errors.";

  /** Topic of the source record. */
  public static final String TOPIC = "rondo.topic";

  /** Partition of the source record. */
  public static final String PARTITION = "rondo.partition";

  /** Offset of the source record. */
  public static final String OFFSET = "rondo.offset";

  /** Time of the source record, epoch ms. */
  public static final String TIMESTAMP = "rondo.timestamp";

  /** Key of the reason. */
  public static final String REASON = "rondo.reason";

  /** First error. */
  public static final String DETAIL = "rondo.detail";

  /** Number of points, or of unreadable pieces. */
  public static final String COUNT = "rondo.count";

  /** Original length of the value, bytes. */
  public static final String BYTES = "rondo.bytes";

  /** Original length of a key that was too long to keep, bytes. */
  public static final String KEY_BYTES = "rondo.key.bytes";

  /** Original length of headers that were too long to keep, bytes. */
  public static final String HEADERS_BYTES = "rondo.headers.bytes";

  /** Pieces of the value that are not part of the dead letter; also on a resent record. */
  public static final String SKIP = "rondo.skip";

  /** Number of times that the bytes were resent; also on a resent record. */
  public static final String RESENT = "rondo.resent";

  /** Time of the first record with these bytes, epoch ms; also on a resent record. */
  public static final String WRITTEN = "rondo.written";

  /** On a mark, a record without a value: offset of the dead letter that was resent. */
  public static final String SENT = "rondo.sent";

  private DeadLetterHeader() {}
}
