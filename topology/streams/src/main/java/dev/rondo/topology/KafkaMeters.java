package dev.rondo.topology;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.core.instrument.config.MeterFilterReply;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Which metrics of Kafka's own are exported. Streams and its clients have some 250 of them, most
 * once per client, broker or partition: nine tenths of what a scrape would read.
 */
final class KafkaMeters implements MeterFilter {
  private static final String PREFIX = "kafka.";

  /** What says whether Streams runs, how fast, and what holds it up. */
  static final Set<String> NAMES =
      Stream.of(
              names("stream", "client.state", "alive.stream.threads", "failed.stream.threads"),
              names(
                  "stream.thread",
                  "commit.total",
                  "commit.latency.avg",
                  "commit.latency.max",
                  "poll.total",
                  "process.total",
                  "process.latency.avg",
                  "process.latency.max",
                  "punctuate.latency.max"),
              names(
                  "consumer",
                  "time.between.poll.max",
                  "connection.count",
                  "failed.authentication.total"),
              names(
                  "consumer.fetch.manager",
                  "records.lag",
                  "records.lag.max",
                  "records.consumed.rate",
                  "records.consumed.total",
                  "bytes.consumed.total",
                  "fetch.throttle.time.max"),
              names(
                  "consumer.coordinator",
                  "assigned.partitions",
                  "rebalance.total",
                  "failed.rebalance.total",
                  "rebalance.latency.max",
                  "last.rebalance.seconds.ago",
                  "last.heartbeat.seconds.ago"),
              names(
                  "producer",
                  "record.send.total",
                  "record.error.total",
                  "record.retry.total",
                  "request.latency.avg",
                  "request.latency.max",
                  "produce.throttle.time.max",
                  "buffer.available.bytes",
                  "connection.count",
                  "failed.authentication.total"))
          .flatMap(List::stream)
          .collect(Collectors.toUnmodifiableSet());

  private static List<String> names(String group, String... names) {
    return Stream.of(names).map(name -> PREFIX + group + "." + name).toList();
  }

  @Override
  public MeterFilterReply accept(Meter.Id id) {
    return id.getName().startsWith(PREFIX) && !NAMES.contains(id.getName())
        ? MeterFilterReply.DENY
        : MeterFilterReply.NEUTRAL;
  }
}
