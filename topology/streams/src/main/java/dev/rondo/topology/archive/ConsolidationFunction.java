package dev.rondo.topology.archive;

import java.util.Locale;

/** Consolidates finest slots into the value of a slot of an archive. */
public enum ConsolidationFunction {
  /**
   * Mean weighted by known time. Kept as a running mean: a constant series stays exact and large
   * values do not overflow.
   */
  WMEAN {
    @Override
    double take(double sofar, long sofarMs, double value, long valueMs, long slots) {
      return sofarMs == 0
          ? value
          : sofar + (value - sofar) * ((double) valueMs / (sofarMs + valueMs));
    }
  },
  MIN {
    @Override
    double take(double sofar, long sofarMs, double value, long valueMs, long slots) {
      return sofarMs == 0 ? value : Math.min(sofar, value);
    }
  },
  MAX {
    @Override
    double take(double sofar, long sofarMs, double value, long valueMs, long slots) {
      return sofarMs == 0 ? value : Math.max(sofar, value);
    }
  },
  LAST {
    @Override
    double take(double sofar, long sofarMs, double value, long valueMs, long slots) {
      return value;
    }
  },
  SUM {
    @Override
    double take(double sofar, long sofarMs, double value, long valueMs, long slots) {
      return sofarMs == 0 ? value * slots : sofar + value * slots;
    }
  };

  private final String key = name().toLowerCase(Locale.ROOT);

  /**
   * Returns the value after adding finest slots.
   *
   * @param sofarMs known time of the slot before, ms; if 0, {@code sofar} is ignored
   * @param value value of each of the finest slots
   * @param valueMs total known time of the finest slots, ms, above 0
   * @param slots number of finest slots
   */
  abstract double take(double sofar, long sofarMs, double value, long valueMs, long slots);

  /** Name in policies, messages and tables: {@code wmean}, {@code min}, … */
  public String key() {
    return key;
  }
}
