package dev.rondo.formats.mapping;

/** Accesses the parts of decoded records of one format. A part is an object of that format. */
public interface Tree {

  enum Kind {
    /** A number, text, boolean or time. */
    SCALAR,
    /** A record, message, object or map: entries with keys. */
    ENTRIES,
    LIST,
    /** Anything else: bytes. */
    OTHER
  }

  interface Entries {
    /**
     * Receives one entry.
     *
     * @param key empty for items of a list
     * @param part null for an absent one
     */
    void entry(String key, Object part);
  }

  /** Returns the kind of a part that is not null. */
  Kind kind(Object part);

  /** Returns the entry of a part; null if it is absent or null, or the part has no entries. */
  Object entry(Object part, String key);

  /** Emits the items of a list, or the entries of a part. */
  void forEach(Object part, Entries to);

  /** Returns a scalar as Number, Boolean, String or Instant. */
  Object scalar(Object part);
}
