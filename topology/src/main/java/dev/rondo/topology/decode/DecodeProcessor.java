package dev.rondo.topology.decode;

import dev.rondo.schemas.Points;
import dev.rondo.topology.commit.CommitHook;
import dev.rondo.topology.drops.DropReason;
import dev.rondo.topology.drops.Drops;
import dev.rondo.topology.drops.SourcePlace;
import dev.rondo.topology.format.Definitions;
import dev.rondo.topology.order.SourceProgress;
import dev.rondo.topology.order.Sources;
import dev.rondo.topology.source.Source;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.streams.processor.PunctuationType;
import org.apache.kafka.streams.processor.api.ContextualProcessor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.processor.api.RecordMetadata;

/**
 * Bytes of a source record → its points, one record a partition of the by-series topic (keyed by
 * that partition), or all of them together where the source is keyed; what holds no point → dead
 * letters with their reason. One bad point never loses its neighbours.
 */
final class DecodeProcessor extends ContextualProcessor<byte[], byte[], Object, Object> {
  private static final Duration TELL = Duration.ofMillis(500);

  /** How long points are gathered; the producer waits as long. */
  private static final Duration GATHER = Duration.ofMillis(100);

  private final Decode.Settings settings;
  private final Drops drops;
  private final Counter records;
  private final Counter points;
  private final RecordSorter sorter;
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
    this.sorter = new RecordSorter(settings.maxFutureMs());
  }

  @Override
  public void init(ProcessorContext<Object, Object> context) {
    super.init(context);
    Definitions definitions = definitions(context);
    for (Source source : settings.sources()) {
      TopicPartition partition = new TopicPartition(source.topic(), context.taskId().partition());
      DecodedPoints decoded =
          settings.isKeyed()
              ? new PointsTogether(partition.partition())
              : new PointsByPartition(settings.partitions());
      sources.put(source.topic(), new DecodedSource(partition, source, definitions, decoded));
      progress.begin(partition);
    }
    if (!settings.isKeyed()) {
      CommitHook hook = context.getStateStore(Decode.GATHERED_STORE);
      hook.run(context, this::drainAll);
      context.schedule(GATHER, PunctuationType.WALL_CLOCK_TIME, nowMs -> drainAll());
    }
    if (settings.tellsProgress()) {
      context.schedule(TELL, PunctuationType.WALL_CLOCK_TIME, nowMs -> tellProgress());
    }
  }

  private Definitions definitions(ProcessorContext<Object, Object> context) {
    return settings.keepsDefinitions()
        ? DefinitionStore.of(context, settings.definitionsStore())
        : Definitions.NONE;
  }

  @Override
  public void process(Record<byte[], byte[]> source) {
    records.increment();
    RecordMetadata place = context().recordMetadata().orElseThrow();
    DecodedSource from = sources.get(place.topic());
    from.points().begin(source.timestamp());
    var outcome = new Sorted(source, from, placeOf(place));
    sorter.sort(from.decoder(), source.value(), source.timestamp(), outcome);
    if (settings.isKeyed()) {
      drain(from);
    }
    forwardDeadLetters(source, place);
    from.decoded(place.offset(), source.timestamp());
  }

  private static SourcePlace placeOf(RecordMetadata metadata) {
    return new SourcePlace(metadata.topic(), metadata.partition(), metadata.offset());
  }

  private void drainAll() {
    sources.values().forEach(this::drain);
  }

  private void drain(DecodedSource from) {
    from.points()
        .drain(
            from.policy(),
            (partition, batch, writtenMs, records) -> {
              points.increment(batch.getPoints().size());
              if (settings.isKeyed()) {
                context()
                    .forward(new Record<>(partition, batch, writtenMs), Decode.KEYED_POINTS_CHILD);
              } else {
                context()
                    .forward(
                        new Record<>(partition, batch, writtenMs, from.headers(records)),
                        Decode.BY_SERIES_CHILD);
              }
            });
  }

  private void forwardDeadLetters(Record<byte[], byte[]> source, RecordMetadata place) {
    if (deadLetters.isEmpty()) {
      return;
    }
    for (DeadLetter letter : deadLetters.values()) {
      context()
          .forward(
              letter.of(source, place),
              settings.isKeyed() ? Decode.KEYED_DEAD_LETTERS_CHILD : Decode.DEAD_LETTERS_CHILD);
    }
    deadLetters.clear();
  }

  /** Tells every partition of by-series how far the sources of this task are decoded. */
  private void tellProgress() {
    drainAll();
    Headers headers = new RecordHeaders();
    sources.values().forEach(source -> source.addComplete(headers, progress));
    if (!Sources.tellsComplete(headers)) {
      return;
    }
    long nowMs = context().currentSystemTimeMs();
    for (int partition = 0; partition < settings.partitions(); partition++) {
      context()
          .forward(
              new Record<>(partition, new Points("", List.of()), nowMs, headers),
              Decode.BY_SERIES_CHILD);
    }
  }

  /** Points are gathered; what is none is counted, and kept where it should be. */
  private final class Sorted implements RecordSorter.Outcome {
    private final Record<byte[], byte[]> source;
    private final DecodedSource from;
    private final SourcePlace place;

    Sorted(Record<byte[], byte[]> source, DecodedSource from, SourcePlace place) {
      this.source = source;
      this.from = from;
      this.place = place;
    }

    @Override
    public void point(String ident, long tMs, double value) {
      from.points().add(ident, tMs, value);
      if (from.points().isFull()) { // one record may have very many: Influx repeats its tags
        drain(from);
      }
    }

    @Override
    public void refuse(DropReason reason, String ident, long tMs, String detail, int from, int to) {
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
        byte[] record = source.value() == null ? new byte[0] : source.value();
        deadLetters.computeIfAbsent(reason, r -> new DeadLetter(r, detail)).add(record, from, to);
      }
    }
  }
}
