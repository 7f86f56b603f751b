package dev.rondo.history.slots;

/** How slots are written where the table has some. */
public enum WriteMode {
  /** Only unknown values are written: a known one stays. */
  FILL {
    @Override
    double merged(double stored, double given) {
      return Double.isNaN(stored) ? given : stored;
    }
  },

  /** What is given replaces what is stored; a value that is not given stays. */
  OVERWRITE {
    @Override
    double merged(double stored, double given) {
      return Double.isNaN(given) ? stored : given;
    }
  };

  /** The value of a slot; NaN is unknown, or not given. */
  abstract double merged(double stored, double given);
}
