package dev.rondo.formats.catalog;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rondo.formats.Decoder;
import dev.rondo.formats.Definitions;
import dev.rondo.formats.DropReason;
import dev.rondo.formats.Found;
import dev.rondo.formats.PointSink;
import dev.rondo.formats.RecordLimits;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class BoundedDecoderTest {
  private static final byte[] RECORD = "any".getBytes(UTF_8);

  private final AtomicInteger created = new AtomicInteger();

  private Decoder bounded(Decoder decoder, RecordLimits limits) {
    return new BoundedDecoder(
        definitions -> {
          created.incrementAndGet();
          return decoder;
        },
        limits,
        false,
        Definitions.NONE);
  }

  private static int deep(int n) {
    return n < 0 ? 0 : deep(n + 1) + 1;
  }

  @Test
  void shouldDropARecordAtWhichItsDecoderFailsAndContinueWithANewDecoder() {
    Decoder bounded =
        bounded(
            (value, nowMs, sink) -> {
              sink.point("a", 1, 2, 0, 1);
              throw new IllegalStateException("state " + "x".repeat(1000));
            },
            RecordLimits.DEFAULT);
    Found found = Found.in(RECORD, bounded);
    assertThat(found.points).containsExactly("a 2.0 1");
    assertThat(found.drops).containsExactly(DropReason.DECODER_FAILED);
    assertThat(found.details.get(0))
        .startsWith("java.lang.IllegalStateException: state xx")
        .contains("at dev.rondo.formats.catalog.BoundedDecoderTest")
        .hasSizeLessThan(400);
    assertThat(found.pieces.get(1)).isEqualTo("any");
    assertThat(created).hasValue(2);
  }

  @Test
  void shouldDropARecordThatIsNestedTooDeep() {
    Found found = Found.in(RECORD, bounded((value, nowMs, sink) -> deep(0), RecordLimits.DEFAULT));
    assertThat(found.drops).containsExactly(DropReason.DECODER_FAILED);
    assertThat(found.details.get(0)).startsWith("java.lang.StackOverflowError");
  }

  @Test
  void shouldPropagateAFailureOfTheSink() {
    Decoder bounded =
        bounded((value, nowMs, sink) -> sink.point("a", 1, 2, 0, 1), RecordLimits.DEFAULT);
    PointSink broken =
        new PointSink() {
          @Override
          public void point(String ident, long tMs, double value, int from, int to) {
            throw new IllegalStateException("fenced");
          }

          @Override
          public void drop(DropReason reason, String detail, int from, int to) {
            throw new AssertionError(detail);
          }
        };
    assertThatThrownBy(() -> bounded.decode(RECORD, 0, broken)).hasMessage("fenced");
  }

  @Test
  void shouldPropagateAFailureOfTheDefinitions() {
    Definitions broken =
        new Definitions() {
          @Override
          public String get(byte[] id) {
            throw new IllegalStateException("store is closed");
          }

          @Override
          public void put(byte[] id, String definition) {
            throw new IllegalStateException("store is closed");
          }

          @Override
          public boolean areKept() {
            return true;
          }
        };
    Decoder bounded =
        new BoundedDecoder(
            definitions -> (value, nowMs, sink) -> definitions.get(value),
            RecordLimits.DEFAULT,
            false,
            broken);
    assertThatThrownBy(() -> Found.in(RECORD, bounded)).hasMessage("store is closed");
  }

  @Test
  void shouldDropALongRecordWithoutReadingIt() {
    Found found =
        Found.in(
            RECORD,
            bounded(
                (value, nowMs, sink) -> sink.point("a", 1, 2, 0, 1), new RecordLimits(2, 1, 1)));
    assertThat(found.points).isEmpty();
    assertThat(found.drops).containsExactly(DropReason.RECORD_OVER_LIMIT);
    assertThat(found.details).containsExactly("record of 3 bytes, more than 2 (record.max.bytes)");
  }

  @Test
  void shouldKeepThePointsUpToTheLimitOfPoints() {
    Decoder endless =
        (value, nowMs, sink) -> {
          while (true) {
            sink.point("a", 1, 2, 0, 1);
          }
        };
    Found found = Found.in(RECORD, bounded(endless, new RecordLimits(10, 5, 1000)));
    assertThat(found.points).hasSize(5);
    assertThat(found.drops).containsExactly(DropReason.RECORD_OVER_LIMIT);
    assertThat(found.details.get(0)).startsWith("more than 5 points").contains("record.max.points");
  }

  @Test
  @Timeout(60)
  void shouldEndARecordThatTakesTooMuchCpu() {
    AtomicInteger emitted = new AtomicInteger();
    Decoder endless =
        (value, nowMs, sink) -> {
          while (true) {
            sink.drop(DropReason.NO_VALUE, "", 0, 0);
          }
        };
    Decoder bounded = bounded(endless, new RecordLimits(10, Integer.MAX_VALUE, 20));
    PointSink counting =
        new PointSink() {
          @Override
          public void point(String ident, long tMs, double value, int from, int to) {}

          @Override
          public void drop(DropReason reason, String detail, int from, int to) {
            if (reason == DropReason.RECORD_OVER_LIMIT) {
              assertThat(detail).contains("20 ms of CPU (record.max.cpu.ms)");
              emitted.incrementAndGet();
            }
          }
        };
    bounded.decode(RECORD, 0, counting);
    assertThat(emitted).hasValue(1);
  }

  @Test
  void shouldCountARecordWithoutBytesUnderItsOwnReason() {
    var settings = new DecoderSettings(200, 9, Optional.empty(), Optional.empty());
    for (Format format : Format.values()) {
      if (!format.needsSchema()) { // a message of defaults has no bytes
        assertThat(Found.in(new byte[0], format.decoder(settings)).drops)
            .as(format.key())
            .containsExactly(DropReason.EMPTY);
      }
    }
  }
}
