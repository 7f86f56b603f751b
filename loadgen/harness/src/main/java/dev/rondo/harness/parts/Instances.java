package dev.rondo.harness.parts;

import static org.awaitility.Awaitility.await;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** The instances of one application, and their progress. */
public final class Instances implements AutoCloseable {
  /** Partitions of every topic. */
  public static final int PARTITIONS = 4;

  /** The broker's minimum, so that partitions move within a test. */
  static final Duration SESSION = Duration.ofSeconds(6);

  private static final Duration CATCH_UP = Duration.ofMinutes(5);

  private final String application;
  private final List<String> sources;
  private final Services services;
  private final Path dir;
  private final Properties common = new Properties();
  private final List<Instance> all = new ArrayList<>();

  /**
   * An application without instances.
   *
   * @param policies the policies file
   * @param standby number of standby replicas
   */
  public Instances(
      Services services, String application, List<String> sources, Path policies, int standby) {
    this.application = application;
    this.sources = sources;
    this.services = services;
    this.dir = policies.getParent();
    common.put("bootstrap.servers", services.bootstrap());
    common.put("application.id", application);
    common.put("sources", String.join(",", sources));
    common.put("policies.file", policies.toString());
    common.put("partitions", Integer.toString(PARTITIONS));
    common.put("width", "30");
    common.put("refresh.ms", "1000");
    common.put("streams.consumer.session.timeout.ms", Long.toString(SESSION.toMillis()));
    common.put("streams.consumer.heartbeat.interval.ms", "2000");
    common.put("standby.replicas", Integer.toString(standby));
  }

  /** Sets a property of all instances added later. */
  public Instances with(String key, String value) {
    if (key.equals("sources.file")) {
      common.remove("sources");
    }
    common.put(key, value);
    return this;
  }

  /** Adds and starts an instance. */
  public Instance add() {
    String id = Integer.toString(all.size() + 1);
    Instance instance = new Instance(id, dir.resolve("instance-" + id), services.root(), common);
    all.add(instance);
    instance.start();
    return instance;
  }

  /** Restarts instances that have ended by themselves, as a service manager would. */
  public List<Instance> startEnded(List<Instance> shouldRun) {
    List<Instance> ended = shouldRun.stream().filter(instance -> !instance.isAlive()).toList();
    ended.forEach(Instance::start);
    return ended;
  }

  /** Waits until all current records of the sources are read and committed. */
  public void awaitCaughtUp() throws Exception {
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", services.bootstrap()))) {
      Map<TopicPartition, Long> ends = ends(admin);
      await("records of %s that %s has not read".formatted(sources, application))
          .atMost(CATCH_UP)
          .pollInterval(Duration.ofMillis(250))
          .ignoreExceptions()
          .until(() -> unread(admin, ends), Map::isEmpty);
    }
  }

  /** The number of records before the ends that are not read and committed, by partition. */
  private Map<TopicPartition, Long> unread(Admin admin, Map<TopicPartition, Long> ends)
      throws Exception {
    var offsets = admin.listConsumerGroupOffsets(application).partitionsToOffsetAndMetadata().get();
    var unread = new HashMap<TopicPartition, Long>();
    ends.forEach(
        (partition, end) -> {
          long read = offsets.get(partition) == null ? 0 : offsets.get(partition).offset();
          if (read < end) {
            unread.put(partition, end - read);
          }
        });
    return unread;
  }

  /** Waits until the group has this number of members, so that dead members are removed. */
  public void awaitMembers(int count) {
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", services.bootstrap()))) {
      await("members of the group %s: %d".formatted(application, count))
          .atMost(CATCH_UP)
          .pollInterval(Duration.ofMillis(250))
          .ignoreExceptions()
          .until(
              () ->
                  admin
                      .describeConsumerGroups(List.of(application))
                      .describedGroups()
                      .get(application)
                      .get()
                      .members()
                      .size(),
              members -> members == count);
    }
  }

  /** Number of buffered batches, as of the last commit. */
  public int bufferedBatches() {
    String changelog = application + "-merge-buffer-changelog";
    Map<String, Boolean> buffered = new HashMap<>();
    try (var consumer =
        new KafkaConsumer<>(
            Map.of(
                ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, services.bootstrap(),
                ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest",
                ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed"),
            new ByteArrayDeserializer(),
            new ByteArrayDeserializer())) {
      List<TopicPartition> partitions =
          IntStream.range(0, PARTITIONS).mapToObj(p -> new TopicPartition(changelog, p)).toList();
      consumer.assign(partitions);
      Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
      while (ends.entrySet().stream().anyMatch(e -> consumer.position(e.getKey()) < e.getValue())) {
        consumer
            .poll(Duration.ofMillis(100))
            .forEach(
                record ->
                    buffered.put(
                        record.partition() + "/" + ByteBuffer.wrap(record.key()).getInt(),
                        record.value() != null));
      }
    }
    return (int) buffered.values().stream().filter(isThere -> isThere).count();
  }

  private Map<TopicPartition, Long> ends(Admin admin) throws Exception {
    Map<TopicPartition, OffsetSpec> question =
        sources.stream()
            .flatMap(
                topic -> IntStream.range(0, PARTITIONS).mapToObj(p -> new TopicPartition(topic, p)))
            .collect(Collectors.toMap(p -> p, p -> OffsetSpec.latest()));
    return admin.listOffsets(question).all().get().entrySet().stream()
        .collect(Collectors.toMap(Map.Entry::getKey, e -> e.getValue().offset()));
  }

  @Override
  public void close() {
    all.stream().filter(Instance::isAlive).forEach(Instance::kill);
  }
}
