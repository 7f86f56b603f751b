package dev.rondo.topology.decode;

import dev.rondo.schemas.Points;
import dev.rondo.topology.drops.DropReason;
import dev.rondo.topology.drops.Drops;
import dev.rondo.topology.drops.SourcePlace;
import dev.rondo.topology.format.Definitions;
import dev.rondo.topology.format.PointSink;
import dev.rondo.topology.order.SourceProgress;
import dev.rondo.topology.source.Source;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.streams.processor.PunctuationType;
import org.apache.kafka.streams.processor.api.ContextualProcessor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.processor.api.RecordMetadata;

/**
 * Bytes of a source record → its points, one record a partition of the by-series topic (keyed by
 * that partition), or dead letters with their reason. One bad point never loses its neighbours.
 */
final class DecodeProcessor extends ContextualProcessor<byte[], byte[], Object, Object> {
  private static final Duration TELL = Duration.ofMillis(500);

  private final Decode.Settings settings;
  private final Drops drops;
  private final Counter records;
  private final Counter points;
  private final PointsByPartition decoded;
  private final SourceProgress progress;
  private final Map<String, DecodedSource> sources = new HashMap<>();
  private final Map<DropReason, DeadLetter> deadLetters = new EnumMap<>(DropReason.class);

  DecodeProcessor(
      Decode.Settings settings, SourceProgress progress, Drops drops, MeterRegistry registry) {
    this.settings = settings;
    this.progress = progress;
    this.drops = drops;
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
  public void init(ProcessorContext<Object, Object> context) {
    super.init(context);
    Definitions definitions = definitions(context);
    for (Source source : settings.sources()) {
      TopicPartition partition = new TopicPartition(source.topic(), context.taskId().partition());
      sources.put(source.topic(), new DecodedSource(partition, source.decoder(definitions)));
      progress.begin(partition);
    }
    if (settings.tellsProgress()) {
      context.schedule(TELL, PunctuationType.WALL_CLOCK_TIME, nowMs -> tellProgress());
    }
  }

  private Definitions definitions(ProcessorContext<Object, Object> context) {
    return settings.keepsDefinitions()
        ? DefinitionStore.of(context, Decode.DEFINITIONS_STORE)
        : Definitions.NONE;
  }

  @Override
  public void process(Record<byte[], byte[]> source) {
    records.increment();
    // by the clock of its writing: what was too far in the future then is so in a replay, too
    long furthestMs = source.timestamp() + settings.maxFutureMs();
    RecordMetadata place = context().recordMetadata().orElseThrow();
    DecodedSource from = sources.get(place.topic());
    PointSink sink = new Sorter(source.value(), placeOf(place), furthestMs);
    if (source.value() == null) {
      sink.drop(DropReason.UNREADABLE, "the record has no value", 0, 0);
    } else {
      from.decoder().decode(source.value(), source.timestamp(), sink);
    }
    Headers headers = from.header();
    decoded.drain((partition, batch) -> forwardPoints(source, partition, batch, headers));
    forwardDeadLetters(source, place);
    from.decoded(place.offset(), source.timestamp());
  }

  private static SourcePlace placeOf(RecordMetadata metadata) {
    return new SourcePlace(metadata.topic(), metadata.partition(), metadata.offset());
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

  /** Tells every partition of by-series how far the sources of this task are decoded. */
  private void tellProgress() {
    long nowMs = context().currentSystemTimeMs();
    for (DecodedSource source : sources.values()) {
      Headers headers = source.completeHeader(progress);
      if (headers != null) {
        for (int partition = 0; partition < settings.partitions(); partition++) {
          context()
              .forward(
                  new Record<>(partition, new Points(List.of()), nowMs, headers),
                  Decode.BY_SERIES_CHILD);
        }
      }
    }
  }

  /** Parts the points that can be stored from those that cannot. */
  private final class Sorter implements PointSink {
    private final byte[] record;
    private final SourcePlace place;
    private final long furthestMs;

    Sorter(byte[] record, SourcePlace place, long furthestMs) {
      this.record = record == null ? new byte[0] : record;
      this.place = place;
      this.furthestMs = furthestMs;
    }

    @Override
    public void point(String ident, long tMs, double value, int from, int to) {
      if (!Double.isFinite(value)) {
        refuse(DropReason.NOT_A_NUMBER, ident, tMs, "value " + value, from, to);
      } else if (tMs > furthestMs) {
        refuse(
            DropReason.TOO_FAR_IN_THE_FUTURE,
            ident,
            tMs,
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

    private void refuse(
        DropReason reason, String ident, long tMs, String detail, int from, int to) {
      drops.count(reason, ident, tMs, detail, place);
      toDeadLetter(reason, detail, from, to);
    }

    @Override
    public void drop(DropReason reason, String detail, int from, int to) {
      drops.count(reason, detail, place);
      toDeadLetter(reason, detail, from, to);
    }

    private void toDeadLetter(DropReason reason, String detail, int from, int to) {
      if (reason.isDeadLetter()) {
        deadLetters.computeIfAbsent(reason, r -> new DeadLetter(r, detail)).add(record, from, to);
      }
    }
  }
}
