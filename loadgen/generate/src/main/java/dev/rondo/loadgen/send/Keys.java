package dev.rondo.loadgen.send;

import dev.rondo.loadgen.encode.Fleet;
import dev.rondo.loadgen.encode.SeriesTexts;
import java.util.Arrays;
import java.util.Locale;
import java.util.SplittableRandom;
import org.apache.kafka.clients.producer.ProducerRecord;

/**
 * What the key of a record is, and by that its partition. Except by {@link #ABSENT} and {@link
 * #RANDOM}, all points of a series (of a generation) go to one partition.
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
  /** None; the generator itself chooses the partition of a machine. */
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
   * None, and Kafka's producer chooses, as it does for most senders: what fills a batch goes to one
   * partition, what comes next to another. The points of a series keep no order between them.
   */
  ABSENT {
    @Override
    Route route(String topic, Fleet fleet, Blocks blocks, int partitions) {
      return (series, generation, atMs, value) ->
          new ProducerRecord<>(topic, null, atMs, null, value);
    }
  },
  /** A random one: the points of a series keep no order between their partitions. */
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

  /** The one of this name; another name is an {@link IllegalArgumentException}. */
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
   * Where records go.
   *
   * @param partitions of the topic
   */
  abstract Route route(String topic, Fleet fleet, Blocks blocks, int partitions);

  /** Makes the record to be sent. */
  interface Route {
    /**
     * Of bytes of which all points are of a series, or of others that go where it goes.
     *
     * @param atMs timestamp of the record, epoch ms; null: that of its sending
     */
    ProducerRecord<byte[], byte[]> record(int series, long generation, Long atMs, byte[] value);
  }
}
