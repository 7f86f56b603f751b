package dev.rondo.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.rondo.embedded.TopologyProcess;
import dev.rondo.testbed.KafkaSpace;
import dev.rondo.testbed.TestBed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Moves partitions between two running instances under unkeyed load: an instance frees all memory
 * of a task that moves away. A second instance joins and leaves {@code rondo.it.moves} times.
 */
@Tag("long")
class MovesIT {
  private static final int MOVES = Integer.getInteger("rondo.it.moves", 3);
  private static final int PARTITIONS = 4;
  private static final int ROUNDS = 2;
  private static final String SEGMENT = "dev.rondo.topology.segment.Segment";
  private static final Pattern SERIES =
      Pattern.compile(
          "(?m)^rondo_consolidate_series\\{policy=\"default\",task=\"(\\d+_\\d+)\"\\} (\\S+)$");

  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  static Path dir;

  private final KafkaSpace kafka = TestBed.kafka();

  /** With standbys, a task that moves away remains as a standby; without, it is closed. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1})
  void shouldFreeTheMemoryOfPartitionsThatMoveRepeatedly(int standbys) throws Exception {
    shouldFreeMemory(standbys, MOVES);
  }

  private void shouldFreeMemory(int standbys, int moves) throws Exception {
    String name = kafka.source("moves-" + standbys);
    try (UnkeyedLoad load = new UnkeyedLoad(kafka.bootstrap(), name, PARTITIONS);
        TopologyProcess staying = instance(name, "staying", standbys);
        TopologyProcess joining = instance(name, "joining", standbys)) {
      staying.start();
      load.resume();
      awaitAllSeries(PARTITIONS, staying);
      awaitRounds(load);
      load.pause();
      awaitIdle(staying);
      int segments = staying.instancesOf(SEGMENT);
      double bytes = seriesBytes(staying);

      for (int move = 1; move <= moves; move++) {
        load.resume();
        joining.start();
        awaitAllSeries(PARTITIONS / 2, staying, joining);
        awaitRounds(load);
        load.pause();
        awaitIdle(staying, joining);
        await("segments of both instances, move " + move) // a task that has left is closed soon
            .untilAsserted(
                () ->
                    assertThat(staying.instancesOf(SEGMENT) + joining.instancesOf(SEGMENT))
                        .isEqualTo(segments));
        assertThat(seriesBytes(staying) + seriesBytes(joining)).isEqualTo(bytes);

        load.resume();
        joining.end();
        awaitAllSeries(PARTITIONS, staying);
        awaitRounds(load);
        load.pause();
        awaitIdle(staying);
        awaitSegments(staying, segments);
        assertThat(seriesBytes(staying)).isEqualTo(bytes);
      }
    }
  }

  /** A suspended instance loses its tasks and closes them uncommitted. */
  @Test
  void shouldFreeTheMemoryOfAnInstanceThatWasSuspended() throws Exception {
    try (UnkeyedLoad load = new UnkeyedLoad(kafka.bootstrap(), kafka.source("frozen"), PARTITIONS);
        TopologyProcess one = instance(kafka.source("frozen"), "one", 0);
        TopologyProcess other = instance(kafka.source("frozen"), "other", 0)) {
      CompletableFuture.allOf(
              CompletableFuture.runAsync(one::start), CompletableFuture.runAsync(other::start))
          .join();
      load.resume();
      awaitAllSeries(PARTITIONS / 2, one, other);
      awaitRounds(load);
      one.freeze();
      await("points of the suspended instance")
          .until(() -> max(other, "rondo_merge_awaited_seconds{partition=\"") > 3);
      awaitAllSeries(PARTITIONS, other);
      one.resume();
      awaitAllSeries(PARTITIONS / 2, one, other);
      awaitRounds(load);
      load.pause();
      awaitIdle(one, other);
      awaitNoLag(one, other);
      int segments = one.instancesOf(SEGMENT) + other.instancesOf(SEGMENT);
      one.end();
      awaitAllSeries(PARTITIONS, other);
      awaitSegments(other, segments);
    }
  }

  private static void awaitSegments(TopologyProcess instance, int expected) {
    await("segments of the only instance")
        .untilAsserted(() -> assertThat(instance.instancesOf(SEGMENT)).isEqualTo(expected));
  }

  private TopologyProcess instance(String name, String id, int standbys) throws IOException {
    Path home = Files.createDirectories(dir.resolve(name).resolve(id));
    return new TopologyProcess(home, kafka.bootstrap())
        .set("rondo.prefix", kafka.prefix())
        .set("application.id", name)
        .set("instance.id", id)
        .set("sources", name + "=graphite")
        .set("partitions", PARTITIONS)
        .set("width", 20)
        .set("standby.replicas", standbys)
        .set("streams.acceptable.recovery.lag", Long.MAX_VALUE) // tasks move at once
        .set("streams.consumer.session.timeout.ms", 6_000);
  }

  /** Waits until each instance has this many tasks and they know all series. */
  private static void awaitAllSeries(int tasksEach, TopologyProcess... instances) {
    await("all series in %d tasks each".formatted(tasksEach))
        .untilAsserted(
            () -> {
              double series = 0;
              for (TopologyProcess instance : instances) {
                Map<String, Double> seriesByTask = seriesByTask(instance);
                assertThat(seriesByTask).hasSize(tasksEach);
                series += seriesByTask.values().stream().mapToDouble(n -> n).sum();
              }
              assertThat(series).isEqualTo(UnkeyedLoad.SERIES);
            });
  }

  private static Map<String, Double> seriesByTask(TopologyProcess instance) throws Exception {
    Map<String, Double> series = new TreeMap<>();
    Matcher lines = SERIES.matcher(instance.get("/metrics"));
    while (lines.find()) {
      series.put(lines.group(1), Double.valueOf(lines.group(2)));
    }
    return series;
  }

  private static double seriesBytes(TopologyProcess instance) throws Exception {
    return instance.metric("rondo_memory_bytes{account=\"series\"}");
  }

  private static void awaitRounds(UnkeyedLoad load) {
    long sent = load.sent();
    await("rounds of points").until(() -> load.sent() >= sent + (long) ROUNDS * UnkeyedLoad.SERIES);
  }

  /** Waits until nothing waits at any stage. */
  private static void awaitNoLag(TopologyProcess... instances) {
    for (TopologyProcess instance : instances) {
      await("no lag")
          .untilAsserted(
              () -> {
                assertThat(max(instance, "rondo_lag_waiting_seconds")).isZero();
                assertThat(max(instance, "rondo_merge_awaited_seconds")).isZero();
              });
    }
  }

  /** Largest sample of the lines with a prefix; -1 if there is none. */
  private static double max(TopologyProcess instance, String beginning) throws Exception {
    return instance
        .get("/metrics")
        .lines()
        .filter(line -> line.startsWith(beginning))
        .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
        .max()
        .orElse(-1);
  }

  /** Waits until no point is buffered; no point may have been evicted or late. */
  private static void awaitIdle(TopologyProcess... instances) throws Exception {
    for (TopologyProcess instance : instances) {
      await("no buffered points")
          .untilAsserted(() -> assertThat(instance.metric("rondo_merge_buffered_points")).isZero());
      assertThat(instance.metric("rondo_merge_evicted_points_total")).isZero();
      assertThat(instance.dropped("late")).isZero();
    }
  }
}
