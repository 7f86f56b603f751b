package dev.rondo.formats.mapping;

/** Access to the parts of decoded records of one format. A part is an object of that format. */
public interface Tree {
  /** What a part is. */
  enum Kind {
    /** A number, text, truth or time. */
    SCALAR,
    /** A record, message, object or map: entries with keys. */
    ENTRIES,
    LIST,
    /** What has no number, text or time: bytes. */
    OTHER
  }

  /** Receives the entries of a part. */
  interface Entries {
    /**
     * Receives one entry.
     *
     * @param key empty for items of a list
     * @param part null for an absent one
     */
    void entry(String key, Object part);
  }

  /** What a part is, not null. */
  Kind kind(Object part);

  /** The entry of a part; null if it is absent or null, or the part has no entries. */
  Object entry(Object part, String key);

  /** Emits the items of a list, or the entries of a part. */
  void forEach(Object part, Entries to);

  /** A scalar as Number, Boolean, String or Instant. */
  Object scalar(Object part);
}
