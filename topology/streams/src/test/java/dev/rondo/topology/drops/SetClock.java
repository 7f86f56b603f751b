package dev.rondo.topology.drops;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.concurrent.atomic.AtomicLong;

/** Stands where a test sets it. */
final class SetClock extends Clock {
  final AtomicLong nowMs = new AtomicLong();

  SetClock(long nowMs) {
    this.nowMs.set(nowMs);
  }

  @Override
  public long millis() {
    return nowMs.get();
  }

  @Override
  public Instant instant() {
    return Instant.ofEpochMilli(millis());
  }

  @Override
  public ZoneId getZone() {
    return ZoneOffset.UTC;
  }

  @Override
  public Clock withZone(ZoneId zone) {
    throw new UnsupportedOperationException("only epoch ms are asked for");
  }
}
