package dev.rondo.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import dev.rondo.embedded.FreePort;
import dev.rondo.embedded.KafkaBroker;
import dev.rondo.embedded.NewTopics;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The collector as a separate process, and a real broker. */
class HostCollectorIT {
  @TempDir Path dir;

  @Test
  void shouldPublishReadingsAtMultiplesOfTheInterval() throws Exception {
    int port = FreePort.choose();
    KafkaBroker broker = null;
    try (var collector =
        CollectorProcess.start(dir, "127.0.0.1:" + port, "--interval", "2s", "--host", "W 1")) {
      awaitThatItWaits(collector);
      broker = KafkaBroker.start(dir, port);
      createTopic(broker);
      shouldPublishReadings(broker);
      broker = shouldPublishReadingsOfTheTimeThatItIsAway(broker);
      assertThat(collector.terminate()).isTrue();
      assertThat(collector.log()).contains("HostCollector: ended").doesNotContain("dropped");
    } finally {
      if (broker != null) {
        broker.close();
      }
    }
  }

  private static void awaitThatItWaits(CollectorProcess collector) {
    await("the collector waits for the broker")
        .until(() -> collector.log().contains("topic points is not available"));
  }

  private static void shouldPublishReadings(KafkaBroker broker) {
    try (var topic = new TopicReader(broker.bootstrap())) {
      await("three readings").until(() -> topic.readings().size() >= 3);

      List<Reading> readings = topic.readings();
      assertThat(readings).allSatisfy(HostCollectorIT::assertWellFormed);
      assertThat(readings).extracting(Reading::epochSeconds).isSorted().doesNotHaveDuplicates();
      assertOnlyGauges(readings.get(0).values());
      assertRatesToo(readings.get(1).values());
    }
  }

  /** Returns the restarted broker. */
  private KafkaBroker shouldPublishReadingsOfTheTimeThatItIsAway(KafkaBroker broker) {
    broker.kill();
    long goneSeconds = Instant.now().getEpochSecond();
    await("readings without a broker")
        .until(() -> Instant.now().getEpochSecond() >= goneSeconds + 4);

    KafkaBroker back = KafkaBroker.start(dir, broker.port()); // takes more than a second
    long backSeconds = Instant.now().getEpochSecond();
    try (var topic = new TopicReader(back.bootstrap())) {
      await("a reading after the broker is back").until(() -> topic.newestSeconds() > backSeconds);

      assertThat(topic.readings())
          .extracting(Reading::epochSeconds)
          .isSorted()
          .doesNotHaveDuplicates()
          .filteredOn(seconds -> seconds > goneSeconds && seconds < backSeconds)
          .hasSizeGreaterThanOrEqualTo(2);
    }
    return back;
  }

  @Test
  void shouldEndWhileWaitingForTheBroker() throws Exception {
    String nowhere = "127.0.0.1:" + FreePort.choose();
    try (var collector = CollectorProcess.start(dir, nowhere, "--interval", "1s")) {
      awaitThatItWaits(collector);
      assertThat(collector.terminate()).isTrue();
      assertThat(collector.log()).contains("HostCollector: ended");
    }
  }

  private static void assertWellFormed(Reading reading) {
    assertThat(reading.text()).startsWith("hosts." + reading.key() + ".");
    assertThat(reading.text()).endsWith("\n");
    assertThat(reading.epochSeconds() % 2).isZero();
    assertThat(reading.text().lines())
        .allMatch(line -> line.matches("hosts\\.w_1(\\.[a-z0-9_-]+)+ -?\\d+(\\.\\d{1,6})? \\d{10}"))
        .allMatch(line -> line.endsWith(" " + reading.epochSeconds()));
  }

  private static void assertOnlyGauges(Map<String, Double> values) {
    assertThat(values)
        .containsKeys(
            "hosts.w_1.load.1m",
            "hosts.w_1.load.5m",
            "hosts.w_1.load.15m",
            "hosts.w_1.memory.swap_used",
            "hosts.w_1.filesystem.root.used",
            "hosts.w_1.filesystem.root.free",
            "hosts.w_1.processes.count",
            "hosts.w_1.uptime");
    assertThat(values.keySet())
        .noneMatch(name -> name.matches("hosts\\.w_1\\.(cpu|disk|network)\\..*"));
    assertThat(values.get("hosts.w_1.memory.used") + values.get("hosts.w_1.memory.available"))
        .isEqualTo(values.get("hosts.w_1.memory.total"));
  }

  private static void assertRatesToo(Map<String, Double> values) {
    double sum = 0;
    for (String part :
        List.of("user", "nice", "system", "idle", "iowait", "irq", "softirq", "steal")) {
      sum += values.get("hosts.w_1.cpu." + part);
    }
    assertThat(sum).isCloseTo(100, within(1e-4));
    double unused = values.get("hosts.w_1.cpu.idle") + values.get("hosts.w_1.cpu.iowait");
    assertThat(values.get("hosts.w_1.cpu.busy")).isCloseTo(100 - unused, within(1e-4));
    assertThat(values.keySet())
        .noneMatch(name -> name.startsWith("hosts.w_1.network.lo."))
        .filteredOn(name -> name.startsWith("hosts.w_1.disk."))
        .allMatch(name -> name.matches(".*\\.(read_bytes|write_bytes|reads|writes)"));
  }

  private static void createTopic(KafkaBroker broker) throws Exception {
    Map<String, Object> config = Map.of("bootstrap.servers", broker.bootstrap());
    try (var admin = Admin.create(config)) {
      NewTopics.create(admin, List.of(new NewTopic("points", 1, (short) 1)));
    }
  }
}
