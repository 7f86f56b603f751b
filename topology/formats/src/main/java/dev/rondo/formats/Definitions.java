package dev.rondo.formats;

/**
 * What ids name, for formats whose points name their series by an id that an earlier record of the
 * same partition has told. Definitions are the format's own text of a series, so that an ident
 * follows the naming of the day.
 */
public interface Definitions {
  /** Where none are kept: no id is known. */
  Definitions NONE =
      new Definitions() {
        @Override
        public String get(byte[] id) {
          return null;
        }

        @Override
        public void put(byte[] id, String definition) {
          // nobody can ask for it
        }

        @Override
        public boolean areKept() {
          return false;
        }
      };

  /** What this id names; null where that has not been told. */
  String get(byte[] id);

  /** From now on {@code id} names this; what it has named before is forgotten. */
  void put(byte[] id, String definition);

  /** Whether what is put can be got. */
  boolean areKept();
}
