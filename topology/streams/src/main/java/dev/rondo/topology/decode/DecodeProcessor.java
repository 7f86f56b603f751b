package dev.rondo.topology.decode;

import dev.rondo.formats.Definitions;
import dev.rondo.formats.DropReason;
import dev.rondo.schemas.Points;
import dev.rondo.topology.drops.Drops;
import dev.rondo.topology.drops.RecordId;
import dev.rondo.topology.memory.MemoryAccount;
import dev.rondo.topology.order.RecordDisorder;
import dev.rondo.topology.order.SourceHeaders;
import dev.rondo.topology.order.SourceProgress;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.streams.processor.Cancellable;
import org.apache.kafka.streams.processor.PunctuationType;
import org.apache.kafka.streams.processor.api.ContextualProcessor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.processor.api.RecordMetadata;

/**
 * Bytes of a source record → its points, one record a partition of the by-series topic (keyed by
 * that partition), or all of them together where the source is keyed; what holds no point → dead
 * letters with their reason. Records may come as one ({@link RecordBatch}). One bad point never
 * loses its neighbours.
 */
final class DecodeProcessor extends ContextualProcessor<byte[], byte[], Object, Object> {
  private static final Duration PROGRESS = Duration.ofMillis(500);

  private final Decode.Settings settings;
  private final Drops drops;
  private final Counter records;
  private final Counter points;
  private DecodedPoints decoded;
  private final RecordSorter sorter;
  private final SourceProgress progress;
  private final RecordDisorder disorder;
  private final Map<String, DecodedSource> sources = new HashMap<>();
  private final List<Cancellable> ticks = new ArrayList<>();
  private final MemoryAccount definitionsMemory;
  private final DeadLetterRateLimit rate;
  private DefinitionStore definitions;
  private Definitions kept;
  private final Map<DropReason, DeadLetter> deadLetters = new EnumMap<>(DropReason.class);

  DecodeProcessor(
      Decode.Settings settings,
      SourceProgress progress,
      RecordDisorder disorder,
      MemoryAccount definitionsMemory,
      DeadLetterRateLimit rate,
      Drops drops,
      MeterRegistry registry) {
    this.settings = settings;
    this.definitionsMemory = definitionsMemory;
    this.rate = rate;
    this.progress = progress;
    this.disorder = disorder;
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
    deadLetters.clear(); // of a record amid which the task failed: it comes again
    decoded =
        settings.isKeyed()
            ? new PointBatch(context.taskId().partition())
            : new PointsByPartition(settings.partitions());
    kept = definitions(context);
    sources.clear();
    for (TopicPartition partition : listed()) {
      source(partition.topic());
      progress.begin(partition);
    }
    if (settings.merged().isMerging()) {
      ticks.add(
          context.schedule(PROGRESS, PunctuationType.WALL_CLOCK_TIME, nowMs -> forwardProgress()));
    }
  }

  /** Streams keeps the ticks of a task that is suspended, and {@link #init} makes new ones. */
  @Override
  public void close() {
    ticks.forEach(Cancellable::cancel);
    ticks.clear();
    sources.values().forEach(source -> disorder.forget(source.partition()));
    if (definitions != null) {
      definitions.close();
    }
  }

  /** The source partitions of this task that are listed by now. */
  private List<TopicPartition> listed() {
    return settings.merged().partitions().stream()
        .filter(partition -> partition.partition() == context().taskId().partition())
        .toList();
  }

  /** A topic may be met that was made after the start. */
  private DecodedSource source(String topic) {
    return sources.computeIfAbsent(
        topic,
        met ->
            new DecodedSource(
                new TopicPartition(met, context().taskId().partition()),
                settings.rules().of(met).orElseThrow(),
                kept));
  }

  private Definitions definitions(ProcessorContext<Object, Object> context) {
    if (!settings.keepsDefinitions()) {
      return Definitions.NONE;
    }
    definitions = DefinitionStore.of(context, settings.definitionsStore(), definitionsMemory);
    ticks.add(
        context.schedule(
            DefinitionStore.LOOK,
            PunctuationType.WALL_CLOCK_TIME,
            nowMs -> definitions.forgetUnused()));
    return definitions;
  }

  @Override
  public void process(Record<byte[], byte[]> source) {
    RecordMetadata place = context().recordMetadata().orElseThrow();
    DecodedSource from = source(place.topic());
    RecordBatch together = RecordBatch.of(source.headers());
    if (together == null) {
      decode(source, new RecordId(place.topic(), place.partition(), place.offset()), from);
    } else {
      from.front().resume(together.frontBeforeMs());
      decode(together.records(), from);
    }
    drain(from);
  }

  private void decode(List<ConsumerRecord<byte[], byte[]>> together, DecodedSource from) {
    long nowMs = context().currentSystemTimeMs();
    for (ConsumerRecord<byte[], byte[]> each : together) {
      var place = new RecordId(each.topic(), each.partition(), each.offset());
      from.front()
          .add(RecordTime.of(each, nowMs), each.timestampType() != TimestampType.LOG_APPEND_TIME);
      long writtenMs = RecordTime.untilNow(each, nowMs);
      decode(each.value(), writtenMs, place, from);
      if (!deadLetters.isEmpty()) {
        forwardDeadLetters(
            new Record<>(each.key(), each.value(), writtenMs, each.headers()), place);
      }
    }
  }

  private void decode(Record<byte[], byte[]> source, RecordId place, DecodedSource from) {
    from.front().add(source.timestamp(), true);
    decode(source.value(), source.timestamp(), place, from);
    forwardDeadLetters(source, place);
  }

  private void decode(byte[] value, long writtenMs, RecordId place, DecodedSource from) {
    records.increment();
    decoded.begin(place.offset(), from.front().streamTimeMs(), writtenMs);
    sorter.sort(from.decoder(), value, writtenMs, new Sorted(value, from, place));
    from.decoded(place.offset());
  }

  /** Hands on what has been decoded. */
  private void drain(DecodedSource from) {
    decoded.drain(
        from.policy(),
        from.front().disorderMs(),
        (partition, batch, writtenMs, records) -> {
          points.increment(batch.getPoints().size());
          Headers headers = settings.isKeyed() ? new RecordHeaders() : from.headers(records);
          context()
              .forward(
                  new Record<>(partition, batch, writtenMs, headers),
                  settings.isKeyed() ? Decode.KEYED_POINTS_CHILD : Decode.BY_SERIES_CHILD);
        });
  }

  private void forwardDeadLetters(Record<byte[], byte[]> source, RecordId place) {
    for (DeadLetter letter : deadLetters.values()) {
      if (rate.take(
          letter.reason(), letter.count(), letter.bytes(), context().currentSystemTimeMs())) {
        context()
            .forward(
                letter.of(source, place),
                settings.isKeyed() ? Decode.KEYED_DEAD_LETTERS_CHILD : Decode.DEAD_LETTERS_CHILD);
      }
    }
    deadLetters.clear();
  }

  /** Says in each partition of by-series how far the sources of this task are decoded. */
  private void forwardProgress() {
    Headers headers = new RecordHeaders();
    listed().forEach(partition -> source(partition.topic()));
    for (DecodedSource source : sources.values()) {
      source.addProgress(headers, progress);
      disorder.observe(source.partition(), source.front().disorderMs());
    }
    if (!SourceHeaders.holdProgress(headers)) {
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

  /** Points go on to their partitions; what is none is counted, and kept where it should be. */
  private final class Sorted implements RecordSorter.Outcome {
    private final byte[] record;
    private final DecodedSource from;
    private final RecordId place;

    Sorted(byte[] record, DecodedSource from, RecordId place) {
      this.record = record;
      this.from = from;
      this.place = place;
    }

    @Override
    public void point(String ident, long tMs, double value) {
      decoded.add(ident, tMs, value);
      if (decoded.isFull()) { // a record may have very many: a line of Influx repeats its tags
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
        byte[] bytes = record == null ? new byte[0] : record;
        deadLetters.computeIfAbsent(reason, r -> new DeadLetter(r, detail)).add(bytes, from, to);
      }
    }
  }
}
