package dev.rondo.topology.topics;

import dev.rondo.schemas.PolicyVersion;
import dev.rondo.schemas.Topics;
import dev.rondo.topology.config.TopologyConfig;
import dev.rondo.topology.policy.Policies;
import dev.rondo.topology.policy.PoliciesFile;
import dev.rondo.topology.policy.PolicyVersions;
import dev.rondo.topology.policy.VersionedPolicies;
import dev.rondo.topology.settings.SettingException;
import java.time.Duration;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Consumes {@code rondo.policies}, so that each version is known soon after it was applied. The
 * policies of the file become the first version if there is none; later the file has no effect.
 */
public final class PolicyVersionConsumer implements PolicyVersions, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(PolicyVersionConsumer.class);
  private static final Duration POLL = Duration.ofSeconds(1);
  private static final Duration LONGEST_WAIT = Duration.ofMinutes(1);
  private static final long RETRY_MS = 1_000;
  private static final long CLOSE_TIMEOUT_MS = 5_000;

  private final TopologyConfig config;
  private final TreeMap<Integer, VersionedPolicies> versions = new TreeMap<>();
  private final Thread thread = new Thread(this::run, "policy-versions");
  private int newest;
  private String newestYaml = "";
  private volatile VersionedPolicies latest;
  private volatile boolean isClosed;

  private PolicyVersionConsumer(TopologyConfig config) {
    this.config = config;
    thread.setDaemon(true);
  }

  /**
   * Reads all versions, writes the first one if there is none, and goes on consuming.
   *
   * @throws SettingException if the policies file, or the version that applies, cannot be read
   */
  public static PolicyVersionConsumer start(TopologyConfig config)
      throws ExecutionException, InterruptedException {
    PolicyVersionConsumer consumer = new PolicyVersionConsumer(config);
    for (PolicyVersion version : PolicyVersionTopic.read(config)) {
      consumer.add(version);
    }
    consumer.applyFile();
    consumer.thread.start();
    return consumer;
  }

  private void applyFile() throws ExecutionException, InterruptedException {
    String yaml = config.policiesYaml();
    boolean isOther = !config.getString("policies.file").isEmpty() && !yaml.equals(newestYaml);
    if (newest == 0 || (isOther && config.getBoolean("policies.apply.at.start"))) {
      PoliciesFile.parse(yaml);
      var next = new PolicyVersion(newest + 1, System.currentTimeMillis(), config.instance(), yaml);
      PolicyVersionTopic.write(config, next);
      add(next);
      LOG.info("applied version {} of the policies", next.getNumber());
    } else if (isOther) {
      LOG.warn(
          "{} differs from version {} of the policies, which applies (policies.file); to apply it:"
              + " ./rondo policies apply",
          config.getString("policies.file"),
          newest);
    }
    if (latest.number() < newest) {
      throw new SettingException(
          "version %d of the policies cannot be read by this release (rondo.policies)"
              .formatted(newest));
    }
  }

  private synchronized void add(PolicyVersion version) {
    newest = version.getNumber();
    newestYaml = version.getYaml();
    try {
      Policies policies = PoliciesFile.parse(version.getYaml());
      versions.put(version.getNumber(), new VersionedPolicies(version.getNumber(), policies));
      latest = versions.lastEntry().getValue();
      notifyAll();
    } catch (SettingException e) {
      LOG.error(
          "version {} of the policies, applied by {}, cannot be read by this release: {}; version {}"
              + " still applies here",
          version.getNumber(),
          version.getAppliedBy(),
          e.getMessage(),
          latest == null ? 0 : latest.number());
    }
  }

  @Override
  public VersionedPolicies latest() {
    return latest;
  }

  @Override
  public synchronized VersionedPolicies await(int number) {
    long deadline = System.nanoTime() + LONGEST_WAIT.toNanos();
    while (!versions.containsKey(number)) {
      long leftMs = (deadline - System.nanoTime()) / 1_000_000;
      if (leftMs <= 0) {
        throw new IllegalStateException(
            "state was written under version %d of the policies; rondo.policies has up to %d"
                .formatted(number, latest.number()));
      }
      LOG.info("waiting for version {} of the policies", number);
      try {
        wait(leftMs);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new InterruptException(e);
      }
    }
    return versions.get(number);
  }

  private void run() {
    while (!isClosed) {
      try (KafkaConsumer<String, PolicyVersion> consumer =
          new KafkaConsumer<>(
              config.reader(),
              Topics.POLICIES.keySerde().deserializer(),
              Topics.POLICIES.valueSerde().deserializer())) {
        consume(consumer);
      } catch (InterruptException e) {
        return;
      } catch (RuntimeException e) {
        LOG.warn("Failed to consume {}; retrying in {} ms", Topics.POLICIES.name(), RETRY_MS, e);
        pause();
      }
    }
  }

  private void consume(KafkaConsumer<String, PolicyVersion> consumer) {
    List<TopicPartition> only = List.of(new TopicPartition(Topics.POLICIES.name(), 0));
    consumer.assign(only);
    consumer.seekToBeginning(only);
    String prefix = PolicyVersionTopic.prefix(config);
    while (!isClosed) {
      for (ConsumerRecord<String, PolicyVersion> entry : consumer.poll(POLL)) {
        if (entry.value() != null && entry.key().startsWith(prefix)) {
          addIfNew(entry.value());
        }
      }
    }
  }

  private synchronized void addIfNew(PolicyVersion version) {
    if (!versions.containsKey(version.getNumber())) {
      add(version);
    }
  }

  private void pause() {
    try {
      Thread.sleep(RETRY_MS);
    } catch (InterruptedException e) {
      isClosed = true;
    }
  }

  /** Stops the thread; waits at most five seconds. */
  @Override
  public void close() {
    isClosed = true;
    try {
      thread.join(CLOSE_TIMEOUT_MS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
