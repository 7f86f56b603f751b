package dev.rondo.topology.decode;

import dev.rondo.schemas.Points;
import dev.rondo.topology.drops.DropReason;
import dev.rondo.topology.drops.Drops;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.streams.processor.api.ContextualProcessor;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.processor.api.RecordMetadata;

/**
 * Bytes of a source record → its points, one record a partition of the by-series topic (keyed by
 * that partition), or dead letters with their reason. One bad point never loses its neighbours.
 */
final class DecodeProcessor extends ContextualProcessor<byte[], byte[], Object, Object> {
  private final Decode.Settings settings;
  private final Decoder decoder;
  private final Drops drops;
  private final Counter records;
  private final Counter points;
  private final PointsByPartition decoded;
  private final Map<String, byte[]> sourceNames = new HashMap<>();
  private final Map<DropReason, DeadLetter> deadLetters = new EnumMap<>(DropReason.class);

  DecodeProcessor(Decode.Settings settings, MeterRegistry registry) {
    this.settings = settings;
    this.decoder = new GraphiteDecoder(settings.identMaxBytes());
    this.drops = new Drops(registry);
    this.records =
        Counter.builder("rondo.decode.records")
            .description("Records read from the sources")
            .register(registry);
    this.points =
        Counter.builder("rondo.decode.points")
            .description("Points decoded and passed on")
            .register(registry);
    this.decoded = new PointsByPartition(settings.partitions());
  }

  @Override
  public void process(Record<byte[], byte[]> source) {
    records.increment();
    long furthestMs = context().currentSystemTimeMs() + settings.maxFutureMs();
    PointSink sink = new Sorter(source.value(), furthestMs);
    if (source.value() == null) {
      sink.drop(DropReason.UNREADABLE, "the record has no value", 0, 0);
    } else {
      decoder.decode(source.value(), source.timestamp(), sink);
    }
    RecordMetadata place = context().recordMetadata().orElseThrow();
    Headers headers = sourceHeader(place);
    decoded.drain((partition, batch) -> forwardPoints(source, partition, batch, headers));
    forwardDeadLetters(source, place);
  }

  private Headers sourceHeader(RecordMetadata place) {
    byte[] name = sourceNames.computeIfAbsent(place.topic(), DecodeProcessor::utf8);
    byte[] source =
        ByteBuffer.allocate(name.length + Integer.BYTES)
            .put(name)
            .putInt(place.partition())
            .array();
    return new RecordHeaders().add(settings.sourceHeader(), source);
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private void forwardPoints(
      Record<byte[], byte[]> source, int partition, Points batch, Headers headers) {
    points.increment(batch.getPoints().size());
    context()
        .forward(
            new Record<>(partition, batch, source.timestamp(), headers), Decode.BY_SERIES_CHILD);
  }

  private void forwardDeadLetters(Record<byte[], byte[]> source, RecordMetadata place) {
    if (deadLetters.isEmpty()) {
      return;
    }
    for (DeadLetter letter : deadLetters.values()) {
      context().forward(letter.of(source, place), Decode.DEAD_LETTERS_CHILD);
    }
    deadLetters.clear();
  }

  /** Parts the points that can be stored from those that cannot. */
  private final class Sorter implements PointSink {
    private final byte[] record;
    private final long furthestMs;

    Sorter(byte[] record, long furthestMs) {
      this.record = record == null ? new byte[0] : record;
      this.furthestMs = furthestMs;
    }

    @Override
    public void point(String ident, long tMs, double value, int from, int to) {
      if (!Double.isFinite(value)) {
        drop(DropReason.NOT_A_NUMBER, "value " + value, from, to);
      } else if (tMs > furthestMs) {
        drop(
            DropReason.TOO_FAR_IN_THE_FUTURE,
            "time %s is after %s (max.future.ms = %d)"
                .formatted(
                    Instant.ofEpochMilli(tMs),
                    Instant.ofEpochMilli(furthestMs),
                    settings.maxFutureMs()),
            from,
            to);
      } else {
        decoded.add(ident, tMs, value);
      }
    }

    @Override
    public void drop(DropReason reason, String detail, int from, int to) {
      drops.count(reason);
      deadLetters.computeIfAbsent(reason, r -> new DeadLetter(r, detail)).add(record, from, to);
    }
  }
}
