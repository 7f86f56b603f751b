package dev.rondo.topology.archive;

import java.util.Locale;

/**
 * How the finest slots that fall into one slot of an archive become its value. The known time of
 * what was taken so far is 0 before the first.
 */
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
   * Value after taking finest slots into one that has {@code sofarMs} of known time.
   *
   * @param value the value that each of the finest slots has
   * @param valueMs known time of all of them together, ms, above 0
   * @param slots how many they are
   */
  abstract double take(double sofar, long sofarMs, double value, long valueMs, long slots);

  /** Name in policies, messages and tables: {@code wmean}, {@code min}, … */
  public String key() {
    return key;
  }
}
