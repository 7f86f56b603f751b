package dev.rondo.formats;

/**
 * Definitions of series ids, for formats whose points name their series by an id that an earlier
 * record of the same partition has defined. A definition is the format's own text of a series, not
 * an ident, so that new rules for names take effect.
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

  /** The definition of an id; null if it is unknown. */
  String get(byte[] id);

  /** Sets the definition of {@code id}, replacing an earlier one. */
  void put(byte[] id, String definition);

  /** Whether {@link #get} returns what {@link #put} has stored. */
  boolean areKept();
}
