package dev.rondo.topology.decode;

import dev.rondo.formats.Definitions;
import dev.rondo.formats.DropReason;
import dev.rondo.schemas.Event;
import dev.rondo.schemas.Points;
import dev.rondo.topology.drops.Drops;
import dev.rondo.topology.drops.RecordId;
import dev.rondo.topology.lag.Arrival;
import dev.rondo.topology.lag.Lag;
import dev.rondo.topology.lag.Stage;
import dev.rondo.topology.memory.FairMemory;
import dev.rondo.topology.order.Progress;
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
 * Decodes source records, which may arrive joined ({@link RecordBatch}). Points become one record
 * per partition of the by-series topic, keyed by that partition, or a single record if the source
 * is keyed. Events become one record each. Rejected bytes become dead letters with a reason; a bad
 * point never affects its neighbours.
 */
final class DecodeProcessor extends ContextualProcessor<byte[], byte[], Object, Object> {
  private static final Duration PROGRESS_INTERVAL = Duration.ofMillis(500);

  /**
   * How often unchanged progress is repeated, for merges that are idle or have just moved. The wall
   * clock decides, so that all tasks repeat in the same transaction.
   */
  private static final long REPEAT_MS = 2_000;

  private final Decode.Settings settings;
  private final Drops drops;
  private final MeterRegistry registry;
  private final Counter records;
  private final Counter points;
  private final Counter events;
  private DecodedPoints decoded;
  private final PointValidator validator;
  private final SourceProgress progress;
  private final RecordDisorder disorder;
  private final Map<String, DecodedSource> sources = new HashMap<>();
  private final List<Cancellable> punctuations = new ArrayList<>();
  private final FairMemory definitionsMemory;
  private final DeadLetterRateLimit rateLimit;
  private DefinitionStore definitionStore;
  private long repeatedMs;

  /** Points forwarded from the current source record or batch. */
  private long forwarded;

  private final Map<DropReason, DeadLetter> deadLetters = new EnumMap<>(DropReason.class);

  DecodeProcessor(
      Decode.Settings settings,
      SourceProgress progress,
      RecordDisorder disorder,
      FairMemory definitionsMemory,
      DeadLetterRateLimit rateLimit,
      Drops drops,
      MeterRegistry registry) {
    this.settings = settings;
    this.definitionsMemory = definitionsMemory;
    this.rateLimit = rateLimit;
    this.progress = progress;
    this.disorder = disorder;
    this.drops = drops;
    this.registry = registry;
    this.records =
        Counter.builder("rondo.decode.records")
            .description("Records read from the sources")
            .register(registry);
    this.points =
        Counter.builder("rondo.decode.points")
            .description("Points decoded and passed on")
            .register(registry);
    this.events =
        Counter.builder("rondo.decode.events")
            .description("Events decoded and passed on")
            .register(registry);
    this.validator = new PointValidator(settings.limits());
  }

  @Override
  public void init(ProcessorContext<Object, Object> context) {
    super.init(context);
    deadLetters.clear(); // left by a failure; the record is read again
    decoded =
        settings.isKeyed()
            ? new PointBatch(context.taskId().partition())
            : new PointsByPartition(settings.partitions());
    openDefinitions(context);
    sources.clear();
    for (TopicPartition partition : listed()) {
      source(partition.topic());
      progress.forget(partition);
    }
    if (settings.merged().isMerging()) {
      punctuations.add(
          context.schedule(
              PROGRESS_INTERVAL, PunctuationType.WALL_CLOCK_TIME, this::forwardProgress));
    }
  }

  /** Kafka Streams keeps the punctuations of a suspended task; {@link #init} schedules new ones. */
  @Override
  public void close() {
    punctuations.forEach(Cancellable::cancel);
    punctuations.clear();
    for (DecodedSource source : sources.values()) {
      disorder.forget(source.partition());
      progress.forget(source.partition());
    }
    if (definitionStore != null) {
      definitionStore.close();
    }
  }

  /** The listed source partitions of this task. */
  private List<TopicPartition> listed() {
    return settings.merged().partitions().stream()
        .filter(partition -> partition.partition() == context().taskId().partition())
        .toList();
  }

  /** Returns the source of a topic, which may have been created after the start. */
  private DecodedSource source(String topic) {
    return sources.computeIfAbsent(
        topic,
        name ->
            new DecodedSource(
                new TopicPartition(name, context().taskId().partition()),
                settings.rules().of(name).orElseThrow(),
                definitionStore == null ? Definitions.NONE : definitionStore.of(name),
                settings.partitions(),
                registry));
  }

  private void openDefinitions(ProcessorContext<Object, Object> context) {
    if (!settings.keepsDefinitions()) {
      return;
    }
    definitionStore = DefinitionStore.of(context, settings.definitionsStore(), definitionsMemory);
    punctuations.add(
        context.schedule(
            DefinitionStore.CLEANUP_INTERVAL,
            PunctuationType.WALL_CLOCK_TIME,
            nowMs -> definitionStore.forgetUnused()));
  }

  @Override
  public void process(Record<byte[], byte[]> source) {
    RecordMetadata metadata = context().recordMetadata().orElseThrow();
    DecodedSource from = source(metadata.topic());
    forwarded = 0;
    RecordBatch batch = RecordBatch.of(source.headers());
    if (batch == null) {
      decodeRecord(
          source, new RecordId(metadata.topic(), metadata.partition(), metadata.offset()), from);
    } else {
      from.streamTime().resume(batch.streamTimeBeforeMs());
      decodeBatch(batch.records(), from);
    }
    drain(from);
    if (batch != null) {
      report(batch, from.partition());
    }
  }

  /** Reports the lag of a batch, which is that of its oldest record. */
  private void report(RecordBatch batch, TopicPartition partition) {
    Lag lag = progress.lag();
    ConsumerRecord<byte[], byte[]> first = batch.records().get(0);
    ConsumerRecord<byte[], byte[]> last = batch.records().get(batch.records().size() - 1);
    lag.decoded(partition, last.offset(), last.timestamp());
    if (forwarded > 0) {
      Arrival arrival = lag.arrival(partition, first.offset(), first.timestamp());
      lag.reached(Stage.FETCHED, arrival, forwarded, batch.fetchedMs());
      lag.reached(Stage.DECODED, arrival, forwarded);
    }
  }

  private void decodeBatch(List<ConsumerRecord<byte[], byte[]>> batch, DecodedSource from) {
    long nowMs = context().currentSystemTimeMs();
    records.increment(batch.size());
    for (ConsumerRecord<byte[], byte[]> each : batch) {
      var id = new RecordId(each.topic(), each.partition(), each.offset());
      long writtenMs = RecordTime.of(each, nowMs);
      from.streamTime().add(writtenMs, each.timestampType() != TimestampType.LOG_APPEND_TIME);
      decodeValue(each.value(), each.headers(), writtenMs, new Origin(id, each.timestamp()), from);
      if (!deadLetters.isEmpty()) {
        forwardDeadLetters(new Record<>(each.key(), each.value(), writtenMs, each.headers()), id);
      }
    }
  }

  private void decodeRecord(Record<byte[], byte[]> source, RecordId id, DecodedSource from) {
    records.increment();
    from.streamTime().add(source.timestamp(), true);
    Origin origin = new Origin(id, source.timestamp());
    decodeValue(source.value(), source.headers(), source.timestamp(), origin, from);
    forwardDeadLetters(source, id);
  }

  private void decodeValue(
      byte[] value, Headers headers, long writtenMs, Origin origin, DecodedSource from) {
    long offset = origin.record().offset();
    from.begin(offset);
    decoded.begin(offset, from.streamTime().streamTimeMs(), writtenMs);
    validator.validate(
        from.decoder(),
        from.policy(),
        value,
        headers,
        writtenMs,
        new RecordOutcome(value, from, origin, writtenMs));
    from.decoded(offset);
  }

  private void drain(DecodedSource from) {
    Progress reported = from.progress();
    decoded.drain(
        from.policy(),
        reported,
        (partition, batch, writtenMs, records) -> {
          forwarded += batch.getPoints().size();
          points.increment(batch.getPoints().size());
          settings.rate().take(batch.getPoints().size());
          if (settings.merged().isMerging()) {
            progress.decoded(from.streamTime().streamTimeMs(), batch.getPoints());
          }
          Headers headers =
              settings.isKeyed() ? new RecordHeaders() : from.headers(partition, reported, records);
          context()
              .forward(
                  new Record<>(partition, batch, capped(writtenMs), headers),
                  settings.isKeyed() ? Decode.KEYED_POINTS_CHILD : Decode.BY_SERIES_CHILD);
        });
  }

  /** Caps a record time, epoch ms, at the wall clock: a topic may reject times in the future. */
  private long capped(long writtenMs) {
    return Math.min(writtenMs, context().currentSystemTimeMs());
  }

  private void forwardDeadLetters(Record<byte[], byte[]> source, RecordId id) {
    for (DeadLetter deadLetter : deadLetters.values()) {
      if (rateLimit.take(
          id.topic(),
          deadLetter.reason(),
          deadLetter.count(),
          deadLetter.bytes(),
          context().currentSystemTimeMs())) {
        context()
            .forward(
                deadLetter
                    .of(source, id, validator.pieces())
                    .withTimestamp(capped(source.timestamp())),
                settings.isKeyed() ? Decode.KEYED_DEAD_LETTERS_CHILD : Decode.DEAD_LETTERS_CHILD);
      }
    }
    deadLetters.clear();
  }

  /** Reports to each partition of by-series how far the sources of this task are decoded. */
  private void forwardProgress(long nowMs) {
    boolean repeats = nowMs / REPEAT_MS != repeatedMs / REPEAT_MS;
    if (repeats) {
      repeatedMs = nowMs;
    }
    listed().forEach(partition -> source(partition.topic()));
    for (DecodedSource source : sources.values()) {
      disorder.observe(source.partition(), source.streamTime().disorderMs());
    }
    for (int partition = 0; partition < settings.partitions(); partition++) {
      Headers headers = new RecordHeaders();
      for (DecodedSource source : sources.values()) {
        source.addProgress(headers, partition, repeats, progress);
      }
      if (SourceHeaders.holdProgress(headers)) {
        context()
            .forward(
                new Record<>(partition, new Points("", List.of()), nowMs, headers),
                Decode.BY_SERIES_CHILD);
      }
    }
  }

  /**
   * Collects valid points, forwards events, counts rejected pieces and adds them to dead letters.
   */
  private final class RecordOutcome implements PointValidator.Outcome {
    private final byte[] record;
    private final DecodedSource from;
    private final Origin origin;
    private final long writtenMs;
    private final long behindBeforeMs;
    private int eventsFound;

    RecordOutcome(byte[] record, DecodedSource from, Origin origin, long writtenMs) {
      this.record = record;
      this.from = from;
      this.origin = origin;
      this.writtenMs = writtenMs;
      this.behindBeforeMs = writtenMs - settings.limits().maxFutureMs();
    }

    @Override
    public void point(String ident, long tMs, double value) {
      decoded.add(ident, tMs, value);
      if (tMs < behindBeforeMs) {
        from.behind().increment();
      }
      if (decoded.isFull()) { // an Influx line repeats its tags for every point
        drain(from);
      }
    }

    @Override
    public void event(long tMs, String what, List<String> tags, String data) {
      String id = origin.id(eventsFound++);
      events.increment();
      context()
          .forward(
              new Record<>(id, new Event(id, tMs, what, tags, data), capped(writtenMs)),
              Decode.EVENTS_CHILD);
    }

    @Override
    public void reject(
        DropReason reason, String ident, long tMs, String detail, int begin, int end) {
      drops.count(reason, ident, tMs, detail, origin.record());
      addToDeadLetter(reason, detail, begin, end);
    }

    @Override
    public void drop(DropReason reason, String detail, int begin, int end) {
      drops.count(reason, detail, origin.record());
      addToDeadLetter(reason, detail, begin, end);
    }

    private void addToDeadLetter(DropReason reason, String detail, int begin, int end) {
      if (reason.isDeadLetter()) {
        byte[] bytes = record == null ? new byte[0] : record;
        deadLetters
            .computeIfAbsent(reason, r -> new DeadLetter(r, detail))
            .add(bytes, begin, end, validator.pieces());
      }
    }
  }
}
