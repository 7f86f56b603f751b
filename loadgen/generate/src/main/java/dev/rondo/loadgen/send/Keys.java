package dev.rondo.loadgen.send;

import dev.rondo.loadgen.encode.Fleet;
import dev.rondo.loadgen.encode.SeriesTexts;
import java.util.Arrays;
import java.util.Locale;
import java.util.SplittableRandom;
import org.apache.kafka.clients.producer.ProducerRecord;

/**
 * What the key of a record is, and therefore its partition. Except with {@link #ABSENT} and {@link
 * #RANDOM}, all points of a series (of one generation) go to one partition.
 */
public enum Keys {
  /** The ident. */
  SERIES {
    @Override
    Route route(String topic, Fleet fleet, Blocks blocks, int partitions) {
      return keyed(topic, fleet.idents());
    }
  },
  /** The machine. */
  MACHINE {
    @Override
    Route route(String topic, Fleet fleet, Blocks blocks, int partitions) {
      SeriesTexts.Text text = (machine, none, g) -> fleet.machine().fill(machine, 0, g);
      Route route = keyed(topic, new SeriesTexts(fleet.machines(), 1, text));
      int metrics = fleet.metrics();
      return (series, generation, atMs, value) ->
          route.record(series / metrics, generation, atMs, value);
    }
  },
  /** No key; the generator assigns each machine to a partition. */
  NONE {
    @Override
    Route route(String topic, Fleet fleet, Blocks blocks, int partitions) {
      Integer[] boxed = new Integer[partitions];
      Arrays.setAll(boxed, n -> n);
      return (series, generation, atMs, value) ->
          new ProducerRecord<>(topic, boxed[blocks.of(series) % partitions], atMs, null, value);
    }
  },
  /**
   * No key, and Kafka's producer chooses the partition, as it does for most senders: one batch goes
   * to one partition, the next to another. Points of a series are not ordered across partitions.
   */
  ABSENT {
    @Override
    Route route(String topic, Fleet fleet, Blocks blocks, int partitions) {
      return (series, generation, atMs, value) ->
          new ProducerRecord<>(topic, null, atMs, null, value);
    }
  },
  /** A random key: points of a series are not ordered across partitions. */
  RANDOM {
    @Override
    Route route(String topic, Fleet fleet, Blocks blocks, int partitions) {
      var random = new SplittableRandom();
      return (series, generation, atMs, value) -> {
        byte[] key = new byte[Long.BYTES];
        random.nextBytes(key);
        return new ProducerRecord<>(topic, null, atMs, key, value);
      };
    }
  };

  private static Route keyed(String topic, SeriesTexts keys) {
    return (series, generation, atMs, value) ->
        new ProducerRecord<>(topic, null, atMs, keys.of(series, generation), value);
  }

  /** Looks up a label; throws {@link IllegalArgumentException} for an unknown one. */
  public static Keys of(String label) {
    return valueOf(label.toUpperCase(Locale.ROOT));
  }

  /** Whether all points of a series go to one partition. */
  public boolean keepsOrder() {
    return this != ABSENT && this != RANDOM;
  }

  /** The name, as in plans and options. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * Creates the rule for keys and partitions.
   *
   * @param partitions of the topic
   */
  abstract Route route(String topic, Fleet fleet, Blocks blocks, int partitions);

  /** Makes the record to be sent. */
  interface Route {
    /**
     * A record whose points all belong to the series, or to series with the same route.
     *
     * @param atMs timestamp of the record, epoch ms; null: the time of sending
     */
    ProducerRecord<byte[], byte[]> record(int series, long generation, Long atMs, byte[] value);
  }
}
