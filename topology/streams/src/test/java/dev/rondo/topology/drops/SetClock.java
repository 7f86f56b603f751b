package dev.rondo.topology.drops;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.concurrent.atomic.AtomicLong;

/** A clock that tests set. */
public final class SetClock extends Clock {
  public final AtomicLong nowMs = new AtomicLong();

  public SetClock(long nowMs) {
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
