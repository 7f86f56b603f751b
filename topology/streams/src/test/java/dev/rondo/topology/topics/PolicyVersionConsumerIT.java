package dev.rondo.topology.topics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.rondo.embedded.NewTopics;
import dev.rondo.schemas.PolicyVersion;
import dev.rondo.testbed.KafkaSpace;
import dev.rondo.testbed.TestBed;
import dev.rondo.topology.config.TopologyConfig;
import dev.rondo.topology.settings.SettingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CyclicBarrier;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** Instances whose policies files differ have the same policies. */
class PolicyVersionConsumerIT {

  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  static Path dir;

  private static KafkaSpace kafka;
  private static Admin admin;

  @BeforeAll
  static void start() throws Exception {
    kafka = TestBed.kafka();
    admin = Admin.create(kafka.client());
    createTopic();
  }

  private static void createTopic() throws Exception {
    NewTopics.create(admin, List.of(new NewTopic(kafka.topic("policies"), 1, (short) 1)));
  }

  @AfterAll
  static void stop() {
    admin.close();
  }

  private static String yaml(String name) {
    return "policies: [{name: %s, match: '.*', step: 1s, archives: ['1s:1h']}]\n".formatted(name);
  }

  private static TopologyConfig config(String application, String policy, boolean applies)
      throws Exception {
    Path file = Files.writeString(dir.resolve(application + "-" + policy + ".yaml"), yaml(policy));
    Properties properties = new Properties();
    properties.setProperty("bootstrap.servers", kafka.bootstrap());
    properties.setProperty("rondo.prefix", kafka.prefix());
    properties.setProperty("application.id", application);
    properties.setProperty("instance.id", policy);
    properties.setProperty("state.dir", dir.resolve("state").toString());
    properties.setProperty("policies.file", file.toString());
    properties.setProperty("policies.apply.at.start", Boolean.toString(applies));
    return TopologyConfig.of(properties);
  }

  private static PolicyVersionConsumer consumer(TopologyConfig config) throws Exception {
    return PolicyVersionConsumer.start(config, admin);
  }

  private static void apply(TopologyConfig config, int number, String yaml) throws Exception {
    PolicyVersionTopic.write(config, new PolicyVersion(number, 0L, "test", yaml));
  }

  @Test
  void shouldUseTheFileOnlyForTheFirstVersion() throws Exception {
    try (var first = consumer(config("once", "a", false));
        var second = consumer(config("once", "b", false))) {
      assertThat(first.latest().yaml()).isEqualTo(yaml("a"));
      assertThat(second.latest().yaml()).isEqualTo(yaml("a"));
    }
    try (var third = consumer(config("once", "c", true))) {
      assertThat(third.latest().number()).isEqualTo(2);
      assertThat(third.latest().yaml()).isEqualTo(yaml("c"));
      assertThat(third.await(1).yaml()).isEqualTo(yaml("a"));
    }
    assertThat(PolicyVersionTopic.read(config("other", "a", false))).isEmpty();
  }

  @Test
  void shouldApplyTheFileOnlyIfItWasChangedAfterTheNewestVersion() throws Exception {
    TopologyConfig config = config("restarted", "a", true);
    consumer(config).close();
    long appliedMs = System.currentTimeMillis();
    PolicyVersionTopic.write(config, new PolicyVersion(2, appliedMs, "user", yaml("b")));
    try (var restarted = consumer(config)) {
      assertThat(restarted.latest().yaml()).isEqualTo(yaml("b"));
    }
    Files.setLastModifiedTime(
        Path.of(config.getString("policies.file")), FileTime.fromMillis(appliedMs + 1));
    try (var changed = consumer(config)) {
      assertThat(changed.latest().number()).isEqualTo(3);
      assertThat(changed.latest().yaml()).isEqualTo(yaml("a"));
    }
  }

  @Test
  void shouldKeepTheFirstOfVersionsWithOneNumber() throws Exception {
    int writers = 6;
    var written = new ArrayList<CompletableFuture<PolicyVersion>>();
    var barrier = new CyclicBarrier(writers);
    for (int w = 0; w < writers; w++) {
      var version = new PolicyVersion(1, 0L, "writer " + w, yaml("p" + w));
      TopologyConfig config = config("all", "p" + w, false);
      written.add(
          CompletableFuture.supplyAsync(
              () -> {
                try {
                  barrier.await();
                  return PolicyVersionTopic.write(config, version);
                } catch (Exception e) {
                  throw new CompletionException(e);
                }
              },
              task -> new Thread(task).start()));
    }
    PolicyVersion first = written.get(0).get();
    for (var each : written) {
      assertThat(each.get()).as("what each caller received").isEqualTo(first);
    }
    assertThat(PolicyVersionTopic.read(config("all", "p", false))).containsExactly(first);
    try (var started = consumer(config("all", "late", false))) {
      assertThat(started.latest().yaml()).isEqualTo(first.getYaml());
    }
  }

  @Test
  void shouldWaitForAnUnknownVersion() throws Exception {
    TopologyConfig config = config("waits", "a", false);
    try (var consumer = consumer(config)) {
      var awaited = CompletableFuture.supplyAsync(() -> consumer.await(2).yaml());
      assertThat(awaited).isNotDone();
      apply(config, 2, yaml("b"));
      await().until(awaited::isDone);
      assertThat(awaited.get()).isEqualTo(yaml("b"));
      assertThat(consumer.latest().number()).isEqualTo(2);
    }
  }

  @Test
  void shouldKeepThePreviousVersionIfOneCannotBeRead() throws Exception {
    TopologyConfig config = config("later", "a", false);
    try (var consumer = consumer(config)) {
      apply(config, 2, "policies: [{name: a, from: 'a later release'}]");
      apply(config, 3, yaml("c"));
      await().until(() -> consumer.latest().number() == 3);
    }
    apply(config, 4, "policies: [{name: a, from: 'a later release'}]");
    assertThatThrownBy(() -> consumer(config))
        .isInstanceOf(SettingException.class)
        .hasMessage(
            "version 4 of the policies cannot be read by this release (%s)",
            kafka.topic("policies"));
  }

  /** Tasks have state written under these versions. */
  @Test
  void shouldKeepItsVersionsWhenTheTopicIsRecreatedWithOthers() throws Exception {
    TopologyConfig config = config("recreated", "a", false);
    try (var consumer = consumer(config)) {
      apply(config, 2, yaml("b"));
      await().until(() -> consumer.latest().number() == 2);
      admin.deleteTopics(List.of(kafka.topic("policies"))).all().get();
      await("the topic is gone")
          .until(() -> !admin.listTopics().names().get().contains(kafka.topic("policies")));
      createTopic();
      apply(config, 1, yaml("other"));
      apply(config, 3, yaml("c"));
      await()
          .atMost(Duration.ofMinutes(1))
          .untilAsserted(() -> assertThat(consumer.latest().yaml()).isEqualTo(yaml("c")));
      assertThat(consumer.await(1).yaml()).isEqualTo(yaml("a"));
      assertThat(consumer.await(2).yaml()).isEqualTo(yaml("b"));
    }
  }
}
