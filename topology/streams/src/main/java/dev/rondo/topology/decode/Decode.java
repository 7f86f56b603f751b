package dev.rondo.topology.decode;

import dev.rondo.formats.schemaregistry.LookupOutcome;
import dev.rondo.formats.schemaregistry.RegistrySchemas;
import dev.rondo.topology.drops.Drops;
import dev.rondo.topology.memory.FairMemory;
import dev.rondo.topology.memory.MemoryAccount;
import dev.rondo.topology.order.MergedPartitions;
import dev.rondo.topology.order.RecordDisorder;
import dev.rondo.topology.order.SourceProgress;
import dev.rondo.topology.source.SourceRules;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Set;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorSupplier;
import org.apache.kafka.streams.state.StoreBuilder;

/** Supplies the decode step, which turns bytes into points by partition and into dead letters. */
public final class Decode implements ProcessorSupplier<byte[], byte[], Object, Object> {
  /** Name of the node that decodes sources that are not keyed. */
  public static final String NAME = "decode";

  /** Name of the node that decodes keyed sources. */
  public static final String KEYED = "decode-keyed";

  /** Store of id definitions, for formats that need one; also names its changelog. */
  public static final String DEFINITIONS_STORE = "definitions";

  /** Store of id definitions of keyed sources. */
  public static final String KEYED_DEFINITIONS_STORE = "keyed-definitions";

  /** Names the repartition topic between decode and consolidate. */
  public static final String BY_SERIES = "by-series";

  /** Child that receives points: key = partition (Integer), value = Points. */
  static final String BY_SERIES_CHILD = BY_SERIES + "-repartition-filter";

  /** Child that receives dead letters: key and value as bytes. */
  public static final String DEAD_LETTERS_CHILD = "dead-letters";

  /** Child that receives events: key = origin, value = Event. */
  public static final String EVENTS_CHILD = "events";

  /** Child that receives the points of keyed sources, one message per source record. */
  public static final String KEYED_POINTS_CHILD = "points";

  /** Child that receives the dead letters of keyed sources. */
  public static final String KEYED_DEAD_LETTERS_CHILD = "keyed-dead-letters";

  /**
   * Settings of the step.
   *
   * @param partitions number of partitions of the by-series topic
   * @param limits which times points may have
   * @param rules which topics are read, and how
   * @param merged source partitions whose progress is reported to by-series
   * @param isKeyed whether the points stay in the partition of their source record
   * @param rate limits the points per second of this instance
   */
  public record Settings(
      int partitions,
      TimeLimits limits,
      SourceRules rules,
      MergedPartitions merged,
      boolean isKeyed,
      PointRateLimit rate) {
    boolean keepsDefinitions() {
      return rules.needDefinitions(isKeyed);
    }

    String definitionsStore() {
      return isKeyed ? KEYED_DEFINITIONS_STORE : DEFINITIONS_STORE;
    }
  }

  private final Settings settings;
  private final SourceProgress progress;
  private final RecordDisorder disorder;
  private final FairMemory definitions;
  private final DeadLetterRateLimit rateLimit;
  private final Drops drops;
  private final MeterRegistry registry;

  /**
   * @param definitions memory for the definitions of ids
   * @param rateLimit limits the bytes of dead letters
   */
  public Decode(
      Settings settings,
      SourceProgress progress,
      MemoryAccount definitions,
      DeadLetterRateLimit rateLimit,
      Drops drops,
      MeterRegistry registry) {
    this.settings = settings;
    this.progress = progress;
    this.disorder = new RecordDisorder(registry);
    this.definitions = new FairMemory(definitions);
    this.rateLimit = rateLimit;
    this.drops = drops;
    this.registry = registry;
    registerLookups(settings.rules(), registry);
  }

  private static void registerLookups(SourceRules rules, MeterRegistry registry) {
    for (RegistrySchemas schemas : rules.registries()) {
      for (LookupOutcome outcome : LookupOutcome.values()) {
        FunctionCounter.builder("rondo.registry.lookups", schemas, all -> all.lookups(outcome))
            .description("Schemas looked up in a registry; known ones need no lookup")
            .tag("registry", schemas.registry())
            .tag("outcome", outcome.key())
            .register(registry);
      }
    }
  }

  @Override
  public Processor<byte[], byte[], Object, Object> get() {
    return new DecodeProcessor(
        settings, progress, disorder, definitions, rateLimit, drops, registry);
  }

  @Override
  public Set<StoreBuilder<?>> stores() {
    return settings.keepsDefinitions()
        ? Set.of(DefinitionStore.builder(settings.definitionsStore()))
        : Set.of();
  }
}
