package dev.rondo.topology.decode;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.rondo.formats.DropReason;
import dev.rondo.schemas.deadletters.DeadLetterHeader;
import dev.rondo.topology.policy.Policies;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FirstWrittenTest {
  private static final long WRITTEN_MS = 1_700_000_000_000L;

  private static Headers headers(String firstWritten) {
    return new RecordHeaders().add(DeadLetterHeader.WRITTEN, firstWritten.getBytes(UTF_8));
  }

  @Test
  void shouldBeTheTimeOfTheRecordWithoutAHeader() {
    assertThat(FirstWritten.of(new RecordHeaders(), WRITTEN_MS)).isEqualTo(WRITTEN_MS);
    assertThat(FirstWritten.of(new RecordHeaders().add(DeadLetterHeader.WRITTEN, null), WRITTEN_MS))
        .isEqualTo(WRITTEN_MS);
  }

  @ParameterizedTest
  @CsvSource({
    "1600000000000, 1600000000000",
    "1700000000001, 1700000000000",
    "0, 1700000000000",
    "yesterday, 1700000000000",
  })
  void shouldNotBeLaterThanTheRecord(String header, long expectedMs) {
    assertThat(FirstWritten.of(headers(header), WRITTEN_MS)).isEqualTo(expectedMs);
  }

  /** A point that was too far in the future may be accepted when it is resent. */
  @Test
  void shouldBeTheTimeOfPointsWithoutOneAndNotLimitTheFuture() {
    List<Long> times = new ArrayList<>();
    var outcome =
        new PointValidator.Outcome() {
          @Override
          public void point(String ident, long tMs, double value) {
            times.add(tMs);
          }

          @Override
          public void event(long tMs, String what, List<String> tags, String data) {
            times.add(tMs);
          }

          @Override
          public void reject(
              DropReason reason, String ident, long tMs, String detail, int from, int to) {
            throw new AssertionError(detail);
          }

          @Override
          public void drop(DropReason reason, String detail, int from, int to) {
            throw new AssertionError(detail);
          }
        };

    new PointValidator(new TimeLimits(1_000, Long.MAX_VALUE, () -> new Policies(List.of())))
        .validate(
            (value, nowMs, sink) -> {
              sink.point("a", nowMs, 1, 0, 1);
              sink.point("a", WRITTEN_MS, 1, 0, 1);
              sink.event(WRITTEN_MS, "b", List.of(), "", 0, 1);
            },
            "",
            new byte[1],
            headers("1600000000000"),
            WRITTEN_MS,
            outcome);

    assertThat(times).containsExactly(1_600_000_000_000L, WRITTEN_MS, WRITTEN_MS);
  }
}
