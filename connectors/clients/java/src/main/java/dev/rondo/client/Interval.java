package dev.rondo.client;

/** The time from the end of the last published step to the end of this one, epoch ms. */
record Interval(long beginMs, long endMs) {
  double seconds() {
    return (endMs - beginMs) / 1000.0;
  }
}
