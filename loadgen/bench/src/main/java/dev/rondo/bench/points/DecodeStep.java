package dev.rondo.bench.points;

import dev.rondo.formats.catalog.DecoderSettings;
import dev.rondo.formats.catalog.Format;
import dev.rondo.topology.decode.DeadLetterRateLimit;
import dev.rondo.topology.decode.Decode;
import dev.rondo.topology.decode.PointRateLimit;
import dev.rondo.topology.decode.TimeLimits;
import dev.rondo.topology.drops.Drops;
import dev.rondo.topology.memory.MemoryAccount;
import dev.rondo.topology.order.MergedPartitions;
import dev.rondo.topology.order.SourceProgress;
import dev.rondo.topology.source.Source;
import dev.rondo.topology.source.SourceRules;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Clock;
import java.util.List;
import org.apache.kafka.streams.processor.StateStore;
import org.apache.kafka.streams.processor.api.MockProcessorContext;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.StoreBuilder;
import org.openjdk.jmh.infra.Blackhole;

/** The step decode without Kafka: a record of the topic {@code points} to batches by partition. */
final class DecodeStep {
  private static final String TOPIC = "points";
  private static final int PARTITIONS = 16;

  /** When each record was written, and the time by the clock, epoch ms. */
  static final long T_MS = 1_700_000_000_000L;

  private final MockProcessorContext<Object, Object> context = new MockProcessorContext<>();
  private final Processor<byte[], byte[], Object, Object> processor;
  private long offset;

  /** Starts the step for one source. */
  DecodeStep(Format format, DecoderSettings decoder, TimeLimits limits) {
    MeterRegistry registry = new SimpleMeterRegistry();
    var settings =
        new Decode.Settings(
            PARTITIONS,
            limits,
            SourceRules.of(List.of(new Source(TOPIC, format, decoder, false, ""))),
            MergedPartitions.none(),
            false,
            new PointRateLimit(0));
    Decode decode =
        new Decode(
            settings,
            new SourceProgress(MemoryAccount.of(Long.MAX_VALUE)),
            MemoryAccount.of(Long.MAX_VALUE),
            new DeadLetterRateLimit(0, registry),
            new Drops(registry, Clock.systemUTC()),
            registry);
    context.setCurrentSystemTimeMs(T_MS);
    decode.stores().forEach(this::open);
    processor = decode.get();
    processor.init(context);
  }

  private void open(StoreBuilder<?> builder) {
    StateStore store = builder.withLoggingDisabled().build();
    store.init(context.getStateStoreContext(), store);
    context.addStateStore(store);
  }

  void decode(byte[] record, Blackhole batches) {
    context.setRecordMetadata(TOPIC, 0, offset++);
    processor.process(new Record<>(null, record, T_MS));
    context.forwarded().forEach(batches::consume);
    context.resetForwards();
  }
}
