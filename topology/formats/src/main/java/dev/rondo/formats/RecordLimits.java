package dev.rondo.formats;

/**
 * Limits on the cost of one record. Points before the limit are kept; the rest of the record is one
 * drop, {@link DropReason#RECORD_OVER_LIMIT}.
 *
 * @param maxBytes longest record, as sent and decompressed: {@code record.max.bytes}
 * @param maxPoints most points and drops: {@code record.max.points}
 * @param maxCpuMs most CPU time of the thread, so that a pause of the process does not count:
 *     {@code record.max.cpu.ms}
 */
public record RecordLimits(int maxBytes, int maxPoints, long maxCpuMs) {
  /** 32 MiB is VictoriaMetrics' limit, and four times the largest message of vmagent. */
  public static final RecordLimits DEFAULT = new RecordLimits(32 << 20, 1_000_000, 30_000);

  /** Throws if the number of points that a record claims is over the limit. */
  public void checkPoints(long points) throws DroppedException {
    if (points > maxPoints) {
      throw new DroppedException(DropReason.RECORD_OVER_LIMIT, pointsExceeded());
    }
  }

  /** Throws if a record, or its decompressed content, is over the limit. */
  public void checkBytes(String what, long bytes) throws DroppedException {
    if (bytes > maxBytes) {
      throw new DroppedException(
          DropReason.RECORD_OVER_LIMIT,
          "%s of %d bytes, more than %d (record.max.bytes)".formatted(what, bytes, maxBytes));
    }
  }

  public String pointsExceeded() {
    return "more than %d points and drops (record.max.points): the rest of the record is not read"
        .formatted(maxPoints);
  }
}
