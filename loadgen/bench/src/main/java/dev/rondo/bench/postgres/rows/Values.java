package dev.rondo.bench.postgres.rows;

import java.util.Locale;
import java.util.SplittableRandom;

/** What the values of a row are like. */
public enum Values {
  /** No two alike. */
  RANDOM {
    @Override
    double value(SplittableRandom random, int pos, int i) {
      return random.nextDouble();
    }
  },
  /** Whole numbers below a thousand, as counters' rates. */
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
  /** Each series keeps its own value, and one in twenty moves by a hundredth. */
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

  /** Of position {@code pos}, from 1, in the slot {@code i}. */
  abstract double value(SplittableRandom random, int pos, int i);
}
