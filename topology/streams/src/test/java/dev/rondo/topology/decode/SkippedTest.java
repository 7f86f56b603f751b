package dev.rondo.topology.decode;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rondo.formats.Decoder;
import dev.rondo.formats.DropReason;
import dev.rondo.schemas.deadletters.DeadLetterHeader;
import dev.rondo.topology.policy.Policies;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.junit.jupiter.api.Test;

class SkippedTest {
  private static final long WRITTEN_MS = 1_700_000_000_000L;

  /** Skips the first three of four. */
  private static final Headers HEADERS =
      new RecordHeaders().add(DeadLetterHeader.SKIP, new byte[] {0b10111});

  private final List<String> found = new ArrayList<>();

  /** The number of points at each reading of the record, and the reason of a drop after them. */
  private static Decoder decoder(List<Integer> points, DropReason rest) {
    Iterator<Integer> each = points.iterator();
    return (value, nowMs, sink) -> {
      int size = each.next();
      for (int n = 0; n < size; n++) {
        sink.point("p" + n, WRITTEN_MS, n, 0, 1);
      }
      sink.drop(rest, "the rest", 0, 1);
    };
  }

  private void read(Decoder decoder) {
    new PointValidator(new TimeLimits(1_000, Long.MAX_VALUE, () -> new Policies(List.of())))
        .validate(decoder, "", new byte[1], HEADERS, WRITTEN_MS, new Outcome());
  }

  private final class Outcome implements PointValidator.Outcome {
    @Override
    public void point(String ident, long tMs, double value) {
      found.add(ident);
    }

    @Override
    public void event(long tMs, String what, List<String> tags, String data) {}

    @Override
    public void reject(DropReason reason, String ident, long tMs, String detail, int from, int to) {
      found.add(ident + " " + reason.key());
    }

    @Override
    public void drop(DropReason reason, String detail, int from, int to) {
      found.add(reason.key());
    }
  }

  @Test
  void shouldReadTheRestThatWasOverALimit() {
    read(decoder(List.of(5, 5), DropReason.RECORD_OVER_LIMIT));
    assertThat(found).containsExactly("p3", "p4", "record-over-limit");
  }

  /** The CPU limit ends the record at a different point each time. */
  @Test
  void shouldNotSkipTheDropOfARest() {
    read(decoder(List.of(3, 2), DropReason.RECORD_OVER_LIMIT));
    assertThat(found).containsExactly("record-over-limit");
  }

  @Test
  void shouldSkipNothingOfAnUnreadableRecord() {
    read(decoder(List.of(0, 0), DropReason.UNKNOWN_SCHEMA));
    assertThat(found).containsExactly("unknown-schema");
  }
}
