package dev.rondo.topology.config;

import dev.rondo.schemas.Topics;
import java.util.Properties;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.streams.StreamsConfig;

/** Properties of Kafka Streams that differ from its defaults, with the reason for each. */
final class StreamsProperties {
  /** Linger of the producer if consumers see records before the commit, ms. */
  private static final long MIN_LINGER_MS = 100;

  private StreamsProperties() {}

  static Properties of(TopologyConfig config) {
    Properties streams = new Properties();
    streams.putAll(config.kafka().properties());
    streams.put(StreamsConfig.APPLICATION_ID_CONFIG, config.getString("application.id"));
    streams.put(StreamsConfig.STATE_DIR_CONFIG, config.getString("state.dir"));
    streams.put(StreamsConfig.NUM_STREAM_THREADS_CONFIG, config.getInt("threads"));
    streams.put(
        StreamsConfig.PROCESSING_GUARANTEE_CONFIG, config.getString("processing.guarantee"));
    streams.put(StreamsConfig.NUM_STANDBY_REPLICAS_CONFIG, config.getInt("standby.replicas"));
    streams.put(StreamsConfig.COMMIT_INTERVAL_MS_CONFIG, config.getLong("commit.interval.ms"));
    // state is restored in seconds: a returning instance gets all its tasks at the next probing
    // rebalance, not two tasks every ten minutes
    streams.put(StreamsConfig.MAX_WARMUP_REPLICAS_CONFIG, config.getInt("partitions"));
    streams.put(StreamsConfig.PROBING_REBALANCE_INTERVAL_MS_CONFIG, 60_000L);
    streams.put(StreamsConfig.ENSURE_EXPLICIT_INTERNAL_RESOURCE_NAMING_CONFIG, true);
    streams.put(
        StreamsConfig.consumerPrefix(ConsumerConfig.GROUP_INSTANCE_ID_CONFIG),
        config.getString("instance.id"));
    // the merge decides what is buffered; Streams would check, and log, at every record
    streams.put(StreamsConfig.MAX_TASK_IDLE_MS_CONFIG, StreamsConfig.MAX_TASK_IDLE_MS_DISABLED);
    streams.put(StreamsConfig.BUFFERED_RECORDS_PER_PARTITION_CONFIG, 10_000);
    streams.put(StreamsConfig.consumerPrefix(ConsumerConfig.MAX_POLL_RECORDS_CONFIG), 10_000);
    // few large fetches instead of many small ones: rows are read only after a commit
    streams.put(
        StreamsConfig.mainConsumerPrefix(ConsumerConfig.FETCH_MIN_BYTES_CONFIG), 512 * 1024);
    streams.put(StreamsConfig.mainConsumerPrefix(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG), 250);
    streams.put(StreamsConfig.consumerPrefix(ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG), 10_000);
    streams.put(StreamsConfig.consumerPrefix(ConsumerConfig.HEARTBEAT_INTERVAL_MS_CONFIG), 3_000);
    // a new partition is assigned soon, as the points of all other partitions are buffered for it
    streams.put(StreamsConfig.consumerPrefix(ConsumerConfig.METADATA_MAX_AGE_CONFIG), 1_000);
    // small fetches from each partition in turn: in a backlog fewer points are buffered
    streams.put(
        StreamsConfig.consumerPrefix(ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG), 256 * 1024);
    // large fetches from changelogs, as processing starts only when they are read
    streams.put(
        StreamsConfig.restoreConsumerPrefix(ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG),
        8 * 1024 * 1024);
    streams.put(
        StreamsConfig.restoreConsumerPrefix(ConsumerConfig.MAX_POLL_RECORDS_CONFIG), 10_000);
    // changelogs read to their end delay the fetch of the next ones by this wait
    streams.put(StreamsConfig.restoreConsumerPrefix(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG), 50);
    streams.put(
        StreamsConfig.producerPrefix(ProducerConfig.MAX_REQUEST_SIZE_CONFIG),
        Topics.MAX_RECORD_BYTES);
    streams.put(StreamsConfig.producerPrefix(ProducerConfig.COMPRESSION_TYPE_CONFIG), "lz4");
    // output is some kB per second for each of many partitions: prefer few large batches
    streams.put(StreamsConfig.producerPrefix(ProducerConfig.LINGER_MS_CONFIG), lingerMs(config));
    streams.put(StreamsConfig.producerPrefix(ProducerConfig.BATCH_SIZE_CONFIG), 128 * 1024);
    // a request to a hanging broker times out and goes to the next leader within its transaction
    streams.put(StreamsConfig.REQUEST_TIMEOUT_MS_CONFIG, 15_000);
    // an overloaded machine must not lose its transaction, and with it its tasks
    streams.put(StreamsConfig.producerPrefix(ProducerConfig.TRANSACTION_TIMEOUT_CONFIG), 30_000);
    streams.putAll(config.originalsWithPrefix(TopologyConfig.STREAMS_PREFIX));
    return streams;
  }

  /**
   * Returns how long the producer fills a batch, ms. With exactly-once, batches may fill until the
   * commit, which flushes, as consumers see no record before it.
   */
  private static long lingerMs(TopologyConfig config) {
    boolean exactlyOnce =
        StreamsConfig.EXACTLY_ONCE_V2.equals(config.getString("processing.guarantee"));
    return exactlyOnce
        ? Math.max(MIN_LINGER_MS, config.getLong("commit.interval.ms"))
        : MIN_LINGER_MS;
  }
}
