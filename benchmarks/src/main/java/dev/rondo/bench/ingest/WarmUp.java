package dev.rondo.bench.ingest;

import dev.rondo.bench.Progress;
import dev.rondo.door.Load;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.locks.LockSupport;

/**
 * Points at a third of a rate, so that their series are known and the JVMs have compiled what they
 * do when it is measured.
 */
record WarmUp(String run, Profile profile, int series, double rate, int seconds) {
  private static final long BOUND_MS = 120_000;
  private static final long LOOK_NANOS = 100_000_000;
  private static final double PART = 3;

  /** Of its points: with so many of them the last ones cannot be far. */
  private static final double SURELY = 0.999;

  /** Returns its plan, when all of it has been taken in. */
  Path on(Rondo rondo, Progress progress) throws IOException, InterruptedException {
    long before = rondo.points();
    Load load =
        rondo.load(
            run, "warm-up", profile, series, "--rate=" + rate / PART, "--seconds=" + seconds);
    long points = (long) (rate / PART * seconds);
    long boundMs = System.currentTimeMillis() + BOUND_MS + seconds * 1000L;
    long taken = 0;
    while (taken < points * SURELY && System.currentTimeMillis() < boundMs) {
      taken = rondo.points() - before;
      progress.show("warming up", taken, points);
      LockSupport.parkNanos(LOOK_NANOS);
    }
    load.await();
    return load.plan();
  }
}
