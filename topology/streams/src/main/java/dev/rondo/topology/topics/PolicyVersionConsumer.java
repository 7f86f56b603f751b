package dev.rondo.topology.topics;

import dev.rondo.schemas.PolicyVersion;
import dev.rondo.schemas.Topics;
import dev.rondo.topology.config.TopologyConfig;
import dev.rondo.topology.policy.PoliciesFile;
import dev.rondo.topology.policy.PolicyVersions;
import dev.rondo.topology.policy.VersionedPolicies;
import dev.rondo.topology.settings.SettingException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.errors.InterruptException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Consumes {@code rondo.policies}, so that each version is known soon after it is applied. If there
 * is no version, the policies file becomes the first.
 */
public final class PolicyVersionConsumer implements PolicyVersions, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(PolicyVersionConsumer.class);
  private static final Duration LONGEST_WAIT = Duration.ofMinutes(1);

  private final TopologyConfig config;
  private final TopicFollower<String, PolicyVersion> follower;
  private final Map<Integer, VersionedPolicies> versions = new HashMap<>();

  /** Versions read since the last complete read, by number. */
  private final SortedMap<Integer, PolicyVersion> written = new TreeMap<>();

  /** All versions ever read, by number, even if the topic has lost them. */
  private final Map<Integer, PolicyVersion> known = new HashMap<>();

  private PolicyVersion newest;
  private volatile VersionedPolicies latest;

  private PolicyVersionConsumer(TopologyConfig config, Admin admin) {
    this.config = config;
    this.follower =
        new TopicFollower<>(
            config.reader(), admin, config.topic(Topics.POLICIES), this::update, this::polled);
  }

  /**
   * Reads all versions, writes the first one if there is none, and keeps consuming.
   *
   * @param admin client that stays open until this is closed
   * @throws SettingException if the policies file, or the version that applies, cannot be read
   */
  public static PolicyVersionConsumer start(TopologyConfig config, Admin admin)
      throws ExecutionException, InterruptedException {
    PolicyVersionConsumer consumer = new PolicyVersionConsumer(config, admin);
    consumer.read();
    consumer.applyFile();
    consumer.follower.start();
    return consumer;
  }

  private void read() throws InterruptedException {
    PolicyVersionTopic.read(config).forEach(this::add);
  }

  private void applyFile() throws ExecutionException, InterruptedException {
    String yaml = config.policiesYaml();
    boolean isOther =
        newest != null
            && !config.getString("policies.file").isEmpty()
            && !yaml.equals(newest.getYaml());
    boolean applies = config.getBoolean("policies.apply.at.start");
    if (newest == null
        || (isOther && applies && config.policiesChangedMs() > newest.getAppliedAt())) {
      apply(yaml);
    } else if (isOther) {
      LOG.warn(
          "{} differs from version {} of the policies, which applies (policies.file); to apply it:"
              + " ./rondo policies apply",
          config.getString("policies.file"),
          newest.getNumber());
    }
    if (latest.number() < newest.getNumber()) {
      throw new SettingException(
          "version %d of the policies cannot be read by this release (%s)"
              .formatted(newest.getNumber(), config.topic(Topics.POLICIES).name()));
    }
  }

  private void apply(String yaml) throws ExecutionException, InterruptedException {
    PoliciesFile.parse(yaml);
    int number = newest == null ? 1 : newest.getNumber() + 1;
    PolicyVersionTopic.write(
        config, new PolicyVersion(number, System.currentTimeMillis(), config.instance(), yaml));
    read(); // another instance may have written the same number
    LOG.info("version {} of the policies, applied by {}", number, newest.getAppliedBy());
  }

  private void update(String key, PolicyVersion version) {
    if (version != null && key.startsWith(PolicyVersionTopic.prefix(config))) {
      written.put(version.getNumber(), version);
    }
  }

  /**
   * Adds versions only after a complete read: of two with the same number the later one applies.
   */
  private void polled(boolean isRead) {
    if (isRead) {
      written.values().forEach(this::add);
      written.clear();
    }
  }

  private synchronized void add(PolicyVersion version) {
    if (newest != null && version.getNumber() < newest.getNumber()) {
      reportOther(version);
      return;
    }
    newest = version;
    known.put(version.getNumber(), version);
    try {
      VersionedPolicies policies = VersionedPolicies.parse(version.getNumber(), version.getYaml());
      if (latest == null || !latest.is(policies)) {
        versions.put(policies.number(), policies);
        latest = policies;
        notifyAll();
      }
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

  /** Reports a different version with a known number, as in a recreated topic. */
  private void reportOther(PolicyVersion version) {
    if (!version.equals(known.get(version.getNumber()))) {
      LOG.error(
          "version {} of the policies, applied by {}, is not used: {} has lost its previous version"
              + " {}; version {} still applies here. Tasks that move to other instances fail until the"
              + " topic is restored with its versions up to {}",
          version.getNumber(),
          version.getAppliedBy(),
          config.topic(Topics.POLICIES).name(),
          version.getNumber(),
          latest.number(),
          newest.getNumber());
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
            "state was written under version %d of the policies; %s has up to %d"
                .formatted(number, config.topic(Topics.POLICIES).name(), latest.number()));
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

  @Override
  public void close() {
    follower.close();
  }
}
