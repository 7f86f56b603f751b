package dev.rondo.bench.postgres.rows;

import java.util.Locale;
import java.util.SplittableRandom;

/** Kinds of values. */
public enum Values {
  /** Random: no two are equal. */
  RANDOM {
    @Override
    double value(SplittableRandom random, int pos, int i) {
      return random.nextDouble();
    }
  },
  /** Integers below a thousand, as rates of counters. */
  INTEGERS {
    @Override
    double value(SplittableRandom random, int pos, int i) {
      return random.nextInt(1000);
    }
  },
  /** Nine in ten unknown. */
  SPARSE {
    @Override
    double value(SplittableRandom random, int pos, int i) {
      return random.nextInt(10) > 0 ? Double.NaN : random.nextDouble();
    }
  },
  /** Each series keeps its value; one in twenty changes by a hundredth. */
  SLOW {
    @Override
    double value(SplittableRandom random, int pos, int i) {
      return Math.rint(100 * Math.abs(Math.sin(pos)) + (random.nextInt(20) == 0 ? 1 : 0)) / 100;
    }
  };

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The value of position {@code pos}, from 1, in slot {@code i}. */
  abstract double value(SplittableRandom random, int pos, int i);
}
