package dev.rondo.formats;

/**
 * Definitions of series ids, for formats whose points refer to a series that an earlier record of
 * the partition has defined. Holds the sender's text instead of the ident, so that changed name
 * rules take effect.
 */
public interface Definitions {
  /** Keeps no definitions: every id is unknown. */
  Definitions NONE =
      new Definitions() {
        @Override
        public String get(byte[] id) {
          return null;
        }

        @Override
        public void put(byte[] id, String definition) {
          // get() returns null anyway
        }

        @Override
        public boolean areKept() {
          return false;
        }
      };

  /** Returns the definition of an id; null if it is unknown. */
  String get(byte[] id);

  /** Sets the definition of {@code id}, replacing an earlier one. */
  void put(byte[] id, String definition);

  /** Whether {@link #get} returns what {@link #put} has stored. */
  boolean areKept();
}
