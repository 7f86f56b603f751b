package dev.rondo.topology.decode;

import io.micrometer.core.instrument.MeterRegistry;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorSupplier;

/** The step decode: bytes → points by partition, and dead letters. */
public final class Decode implements ProcessorSupplier<byte[], byte[], Object, Object> {
  /** Name of the node. */
  public static final String NAME = "decode";

  /** Names the repartition topic between decode and consolidate. */
  public static final String BY_SERIES = "by-series";

  /** Child that takes points: key = partition (Integer), value = Points. */
  static final String BY_SERIES_CHILD = BY_SERIES + "-repartition-filter";

  /** Child that takes dead letters: key and value as bytes. */
  public static final String DEAD_LETTERS_CHILD = "dead-letters";

  /**
   * What the step is told.
   *
   * @param partitions of the by-series topic
   * @param maxFutureMs how far ahead of the clock a point may be
   * @param identMaxBytes longest ident, UTF-8
   * @param sourceHeader name of the header that tells the source partition of points passed on
   */
  public record Settings(
      int partitions, long maxFutureMs, int identMaxBytes, String sourceHeader) {}

  private final Settings settings;
  private final MeterRegistry registry;

  public Decode(Settings settings, MeterRegistry registry) {
    this.settings = settings;
    this.registry = registry;
  }

  @Override
  public Processor<byte[], byte[], Object, Object> get() {
    return new DecodeProcessor(settings, registry);
  }
}
