package dev.rondo.loadgen.shape;

/** Pseudo-random numbers as a pure function of seed, purpose and two coordinates. */
public final class Draw {
  /** What a number is drawn for; each purpose has a separate sequence. */
  static final int VALUE = 1;

  static final int JITTER = 2;
  static final int GAPS = 3;
  static final int LATE = 4;
  static final int DUPLICATE = 5;
  static final int DISORDER = 6;
  static final int GARBAGE = 7;
  static final int CHURN = 8;
  static final int CLOCK = 9;
  static final int ALIGNED = 10;
  static final int JUMP = 11;

  private static final double UNIT = 0x1.0p-53;

  private final long start;

  /**
   * The sequence of one purpose.
   *
   * @param purpose one of the constants above
   */
  Draw(long seed, int purpose) {
    this.start = mix(seed + purpose);
  }

  /** 64 bits for series or machine {@code s} at {@code k}. */
  long bits(long s, long k) {
    return mix(mix(start ^ s) ^ k);
  }

  /** Uniform in [0, 1). */
  double uniform(long s, long k) {
    return (bits(s, k) >>> 11) * UNIT;
  }

  /** The step and finalizer of SplitMix64 (Steele, Lea, Flood 2014). */
  static long mix(long number) {
    long x = number + 0x9E3779B97F4A7C15L;
    x = (x ^ (x >>> 30)) * 0xBF58476D1CE4E5B9L;
    x = (x ^ (x >>> 27)) * 0x94D049BB133111EBL;
    return x ^ (x >>> 31);
  }
}
