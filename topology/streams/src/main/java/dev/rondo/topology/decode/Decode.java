package dev.rondo.topology.decode;

import dev.rondo.topology.drops.Drops;
import dev.rondo.topology.memory.MemoryAccount;
import dev.rondo.topology.order.MergedPartitions;
import dev.rondo.topology.order.RecordDisorder;
import dev.rondo.topology.order.SourceProgress;
import dev.rondo.topology.source.SourceRules;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Set;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorSupplier;
import org.apache.kafka.streams.state.StoreBuilder;

/** The step decode: bytes → points by partition, and dead letters. */
public final class Decode implements ProcessorSupplier<byte[], byte[], Object, Object> {
  /** Name of the node; that of keyed sources is {@link #KEYED}. */
  public static final String NAME = "decode";

  /** Name of the node that decodes keyed sources. */
  public static final String KEYED = "decode-keyed";

  /** Store of what ids name, there only for a source whose format needs it; names its changelog. */
  public static final String DEFINITIONS_STORE = "definitions";

  /** The same of keyed sources. */
  public static final String KEYED_DEFINITIONS_STORE = "keyed-definitions";

  /** Names the repartition topic between decode and consolidate. */
  public static final String BY_SERIES = "by-series";

  /** Child that takes points: key = partition (Integer), value = Points. */
  static final String BY_SERIES_CHILD = BY_SERIES + "-repartition-filter";

  /** Child that takes dead letters: key and value as bytes. */
  public static final String DEAD_LETTERS_CHILD = "dead-letters";

  /** Child that takes the points of keyed sources, all of a record together. */
  public static final String KEYED_POINTS_CHILD = "points";

  /** Child that takes the dead letters of keyed sources. */
  public static final String KEYED_DEAD_LETTERS_CHILD = "keyed-dead-letters";

  /**
   * What the step is told.
   *
   * @param partitions of the by-series topic
   * @param maxFutureMs how far ahead of the writing of its record a point may be
   * @param rules which topics are read, and how
   * @param merged source partitions of which by-series is told how far they are decoded
   * @param isKeyed whether the points stay in the partition that they come from
   */
  public record Settings(
      int partitions,
      long maxFutureMs,
      SourceRules rules,
      MergedPartitions merged,
      boolean isKeyed) {
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
  private final MemoryAccount definitions;
  private final DeadLetterRateLimit letters;
  private final Drops drops;
  private final MeterRegistry registry;

  /**
   * The step.
   *
   * @param definitions memory for what ids name
   * @param letters how many bytes of dead letters are written
   */
  public Decode(
      Settings settings,
      SourceProgress progress,
      MemoryAccount definitions,
      DeadLetterRateLimit letters,
      Drops drops,
      MeterRegistry registry) {
    this.settings = settings;
    this.progress = progress;
    this.disorder = new RecordDisorder(registry);
    this.definitions = definitions;
    this.letters = letters;
    this.drops = drops;
    this.registry = registry;
  }

  @Override
  public Processor<byte[], byte[], Object, Object> get() {
    return new DecodeProcessor(settings, progress, disorder, definitions, letters, drops, registry);
  }

  @Override
  public Set<StoreBuilder<?>> stores() {
    return settings.keepsDefinitions()
        ? Set.of(DefinitionStore.builder(settings.definitionsStore()))
        : Set.of();
  }
}
