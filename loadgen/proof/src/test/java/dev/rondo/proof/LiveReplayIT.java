package dev.rondo.proof;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.rondo.embedded.FakeClock;
import dev.rondo.embedded.JavaCommand;
import dev.rondo.harness.parts.Instance;
import dev.rondo.harness.parts.Instances;
import dev.rondo.harness.parts.Services;
import dev.rondo.schemas.PolicyVersion;
import dev.rondo.schemas.Topics;
import java.io.File;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The stored slots of an hour are damaged. Live replays of that hour, whose processes are killed,
 * mend them while points flow: filling restores what is unknown, overwriting everything. Slots
 * outside the range stay as they are, no live point is late, and a series that a policy dropped
 * gets its past.
 */
@Timeout(1800)
class LiveReplayIT {
  private static final long MINUTE_MS = 60_000;
  private static final int SERIES = 16;
  private static final double WRONG = -1e9;

  private static final int CLEARING = 6201;

  /** A replay that has written all waits for this lock. */
  private static final String CLEARING_WAITS =
      """
      create function clearing_waits() returns trigger language plpgsql as $$
      begin
        perform pg_advisory_xact_lock_shared(%d);
        return new;
      end
      $$;
      create trigger clearing_waits before insert or update on replay_job
        for each row when (new.state = 'clearing') execute function clearing_waits()
      """
          .formatted(CLEARING);

  private final long seed = System.nanoTime();
  private final Random random = new Random(seed);

  /** Decides which slots are damaged. */
  private final int salt = random.nextInt(1000);

  /** Two hours ago, aligned. */
  private final long beginMs = System.currentTimeMillis() / 3_600_000 * 3_600_000 - 2 * 3_600_000;

  /** Slots until here are looked at: later ones may still be open. */
  private final long closedMs = beginMs + 55 * MINUTE_MS;

  private final long fromMs = beginMs + 10 * MINUTE_MS;
  private final long toMs = beginMs + 50 * MINUTE_MS;

  /** Two series were deleted then, of which one comes back. */
  private final long deletedMs = beginMs + 20 * MINUTE_MS + 5_000;

  private final Services services = shared();

  /** Of the topic, the policy and the topology; the names of all series begin with it. */
  private String name;

  /** Of the replays. */
  private Map<String, String> environment = Map.of();

  private final List<Process> started = new ArrayList<>();

  @TempDir Path dir;

  /** Leaves no replay of a failed test to the next one. */
  @AfterEach
  void end() throws Exception {
    for (Process process : started) {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly().waitFor();
    }
    execute("delete from replay_job");
  }

  @Test
  void shouldMendWhatIsWrongWhilePointsFlow() throws Exception {
    mend("live-replay", false);
  }

  @Test
  @Tag("long")
  void shouldMendWhatIsWrongWhileReplaysAreKilled() throws Exception {
    mend("killed-replay", true);
  }

  @Test
  @Tag("long")
  void shouldKeepSlotsWhoseRecordsKafkaHasDeleted() throws Exception {
    name = "cut-replay";
    try (var instances = instances(policy())) {
      Map<String, Double> before = storeHour(instances);
      deleteRecords(fromMs + 7 * MINUTE_MS);

      shouldSucceed(startReplay("--overwrite"));

      assertThat(Files.readString(log())).contains("Kafka has no records of before");
      assertThat(differences(stored(), before)).as("seed %d", seed).isEmpty();
    }
  }

  @Test
  @Tag("long")
  void shouldEndThoughItsClockIsSetBack() throws Exception {
    Path library = FakeClock.library().orElse(null);
    assumeTrue(library != null, "no libfaketime to set a clock with: apt install faketime");
    name = "clock-replay";
    try (var instances = instances(policy())) {
      Map<String, Double> before = storeHour(instances);
      damage(beginMs, closedMs);
      Map<String, Double> damaged = stored();

      var clock = new FakeClock(library, dir.resolve("clock"));
      environment = clock.environment();
      Process replay = startReplay("--overwrite");
      awaitReading(replay);
      clock.set(Duration.ofHours(-1));
      await("a replay that waits for its clock")
          .until(() -> Files.readString(log()).contains("waits for its clock: the clock of this"));
      clock.set(Duration.ZERO);

      assertThat(replay.waitFor(5, TimeUnit.MINUTES)).as(Files.readString(log())).isTrue();
      shouldSucceed(replay);
      assertThat(Files.readString(log()))
          .contains("The clock of this machine was set back by 3")
          .doesNotContain("\tat ");
      shouldHaveOverwritten(before, damaged);
    }
  }

  private Instances instances(String... policies) throws Exception {
    services.createTopic(name, Instances.PARTITIONS, Map.of("retention.ms", "-1"));
    Path file = Files.writeString(dir.resolve("policies.yaml"), policies(policies));
    return new Instances(services, name, List.of(name), file, 0);
  }

  private Producer<byte[], byte[]> producer() {
    return new KafkaProducer<>(
        Map.of("bootstrap.servers", services.bootstrap()),
        new ByteArraySerializer(),
        new ByteArraySerializer());
  }

  /** Starts an instance; returns the slots of the hour once PostgreSQL has them. */
  private Map<String, Double> storeHour(Instances instances) throws Exception {
    instances.add().awaitRunning();
    try (var producer = producer()) {
      send(producer, hour());
    }
    instances.awaitCaughtUp();
    await("the hour of all series that are never silent").until(this::isHourStored);
    return stored();
  }

  /** Deletes the records that were written before a time, epoch ms. */
  private void deleteRecords(long beforeMs) throws Exception {
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", services.bootstrap()))) {
      var offsets = new HashMap<TopicPartition, RecordsToDelete>();
      for (int p = 0; p < Instances.PARTITIONS; p++) {
        var partition = new TopicPartition(name, p);
        var found = admin.listOffsets(Map.of(partition, OffsetSpec.forTimestamp(beforeMs)));
        long offset = found.partitionResult(partition).get().offset();
        offsets.put(partition, RecordsToDelete.beforeOffset(offset));
      }
      admin.deleteRecords(offsets).all().get();
    }
  }

  private void mend(String named, boolean isKilled) throws Exception {
    name = named;
    String dropping = "{name: none, match: '^%s-secret', drop: true}".formatted(name);
    try (var instances = instances(dropping, policy());
        var producer = producer()) {
      Instance instance = instances.add();
      instance.awaitRunning();
      SortedMap<Long, StringBuilder> hour = hour();
      send(producer, hour.headMap(deletedMs));
      delete(name + "-gone.s0", name + "-back.s0");
      send(producer, hour.tailMap(deletedMs));
      LiveLoad live = LiveLoad.start(producer, name);
      instances.awaitCaughtUp();
      await("the hour of all series that are never silent").until(this::isHourStored);
      Map<String, Double> before = stored();
      Map<String, Double> cameBack = slots(name + "-back.s0");

      if (isKilled) {
        shouldTellItsPlan();
      }
      damage(beginMs, closedMs);
      Map<String, Double> damaged = stored();
      if (isKilled) {
        replayAndKill();
        assertThat(differences(stored(), filled(before, damaged)))
            .as("filled, seed %d", seed)
            .isEmpty();
        replayAndKill("--overwrite");
        shouldHaveOverwritten(before, damaged);
        apply(policies(policy()));
        replayAndKill("--series=" + name + "-secret.**");
      } else {
        apply(policies(policy()));
        replayAndForget();
        shouldHaveOverwritten(before, damaged);
      }
      assertThat(differences(slots(name + "-secret.s3"), inRange(slots(name + ".s3"))))
          .as("a series that was dropped, seed %d", seed)
          .isEmpty();
      assertThat(names(name + "-gone.s0")).as("names of a series that was deleted").isEmpty();
      assertThat(differences(aroundDeletion(slots(name + "-back.s0")), aroundDeletion(cameBack)))
          .as("a series that was deleted and came back, seed %d", seed)
          .isEmpty();

      live.end();
      assertThat(instance.dropped("late")).as("late points").isZero();
      assertThat(live.missing(liveSlots())).as("live slots that are missing").isEmpty();
      assertThat(topics()).as("topics of jobs").noneMatch(topic -> topic.contains(".replay-"));
    }
  }

  private void shouldHaveOverwritten(Map<String, Double> before, Map<String, Double> damaged)
      throws SQLException {
    assertThat(differences(stored(), overwritten(before, damaged)))
        .as("overwritten, seed %d", seed)
        .isEmpty();
  }

  private String policy() {
    return "{name: %s, match: '^%1$s', step: 10s, heartbeat: 1m, archives: ['10s:1d', '1m:7d', 'max:5m:7d']}"
        .formatted(name);
  }

  private static String policies(String... policies) {
    return "policies: [%s]".formatted(String.join(", ", policies));
  }

  /** Lines of an hour, at uneven times, epoch ms; some series are silent for minutes. */
  private SortedMap<Long, StringBuilder> hour() {
    var lines = new TreeMap<Long, StringBuilder>();
    for (int s = 0; s < SERIES; s++) {
      for (long tMs = beginMs + random.nextInt(20_000); tMs < beginMs + 60 * MINUTE_MS; ) {
        boolean isSilent = s % 4 == 1 && tMs % (20 * MINUTE_MS) < 4 * MINUTE_MS;
        double value = random.nextGaussian();
        for (String prefix : List.of("", "-secret", "-gone", "-back")) {
          boolean isSent =
              switch (prefix) {
                case "-gone" -> s == 0 && tMs < deletedMs;
                case "-back" -> s == 0 && Math.abs(tMs - deletedMs) > 2 * MINUTE_MS;
                default -> !isSilent;
              };
          if (isSent) {
            lines
                .computeIfAbsent(tMs, at -> new StringBuilder())
                .append(
                    "%s.s%d %s %d.%03d%n"
                        .formatted(name + prefix, s, value, tMs / 1000, tMs % 1000));
          }
        }
        tMs += 1_000 + random.nextInt(24_000);
      }
    }
    return lines;
  }

  private void send(Producer<byte[], byte[]> producer, SortedMap<Long, StringBuilder> lines) {
    lines.forEach(
        (tMs, text) -> {
          byte[] bytes = text.toString().getBytes(StandardCharsets.UTF_8);
          var unused =
              producer.send(
                  new ProducerRecord<>(
                      name, random.nextInt(Instances.PARTITIONS), tMs, null, bytes));
        });
    producer.flush();
  }

  /** Deletes series as if it were {@link #deletedMs}. */
  private void delete(String... series) throws Exception {
    await("series to delete").until(() -> names(series).size() == series.length);
    var topic = new ConfigResource(ConfigResource.Type.TOPIC, Topics.SERIES_REQUESTS.name());
    var sendersTime = new ConfigEntry("message.timestamp.type", "CreateTime");
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", services.bootstrap()));
        var producer =
            new KafkaProducer<>(
                Map.of("bootstrap.servers", services.bootstrap()),
                new StringSerializer(),
                new StringSerializer())) {
      var set = new AlterConfigOp(sendersTime, AlterConfigOp.OpType.SET);
      admin.incrementalAlterConfigs(Map.of(topic, List.of(set))).all().get();
      await("the sender's time").until(() -> request(producer, "") == deletedMs);
      request(producer, '"' + String.join("\", \"", series) + '"');
    }
    await("series that are deleted").until(() -> names(series).isEmpty());
  }

  /** Returns the time of the request, epoch ms. */
  private long request(Producer<String, String> producer, String series) throws Exception {
    String json = "{\"series\": [%s]}".formatted(series);
    return producer
        .send(new ProducerRecord<>(Topics.SERIES_REQUESTS.name(), null, deletedMs, null, json))
        .get()
        .timestamp();
  }

  /** Those of these series that can be found. */
  private List<String> names(String... series) throws SQLException {
    try (var connection = DriverManager.getConnection(services.jdbcUrl());
        var statement =
            connection.prepareStatement(
                "select ident ->> 'name' from ds where ident ->> 'name' = any (?)")) {
      statement.setArray(1, connection.createArrayOf("text", series));
      var names = new ArrayList<String>();
      try (var result = statement.executeQuery()) {
        while (result.next()) {
          names.add(result.getString(1));
        }
      }
      return names;
    }
  }

  /** Sends a point of each live series a second. */
  private static final class LiveLoad {
    private static final int COUNT = 20;

    private final Producer<byte[], byte[]> producer;
    private final String topic;
    private final Thread thread = new Thread(this::send, "live");
    private final long startMs = System.currentTimeMillis();
    private volatile boolean ends;

    private LiveLoad(Producer<byte[], byte[]> producer, String topic) {
      this.producer = producer;
      this.topic = topic;
    }

    static LiveLoad start(Producer<byte[], byte[]> producer, String topic) {
      LiveLoad load = new LiveLoad(producer, topic);
      load.thread.start();
      return load;
    }

    private void send() {
      try {
        for (long tMs = startMs; !ends; tMs += 1000) {
          Thread.sleep(Math.max(0, tMs - System.currentTimeMillis()));
          for (int s = 0; s < COUNT; s++) {
            byte[] line =
                "%s %d %d\n".formatted(ident(s), s, tMs / 1000).getBytes(StandardCharsets.UTF_8);
            var unused =
                producer.send(new ProducerRecord<>(topic, s % Instances.PARTITIONS, null, line));
          }
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }

    private String ident(int series) {
      return "%s-live.s%d".formatted(topic, series);
    }

    void end() throws InterruptedException {
      ends = true;
      thread.join();
    }

    /** The slots between the first and the last stored one of each series that are missing. */
    List<String> missing(Map<String, NavigableMap<Long, Double>> stored) {
      var missing = new ArrayList<String>();
      for (int s = 0; s < COUNT; s++) {
        NavigableMap<Long, Double> slots = stored.getOrDefault(ident(s), new TreeMap<>());
        if (slots.isEmpty()) {
          missing.add(ident(s) + ": all");
          continue;
        }
        for (long endMs = slots.firstKey(); endMs <= slots.lastKey(); endMs += 10_000) {
          Double value = slots.get(endMs);
          if (value == null || value != s) {
            missing.add("%s at %d: %s".formatted(ident(s), endMs, value));
          }
        }
      }
      return missing;
    }
  }

  private boolean isHourStored() throws SQLException {
    for (int s = 0; s < SERIES; s += 2) { // those are never silent
      if (slots(name + ".s" + s).keySet().stream().noneMatch(slot -> endMs(slot) == closedMs)) {
        return false;
      }
    }
    return true;
  }

  /**
   * Makes values forgotten or wrong, also where nothing is known, of slots that end between two
   * times, epoch ms.
   */
  private void damage(long afterMs, long beforeMs) throws SQLException {
    execute(
        """
        update ts set dp = (
          select array_agg(case when h < 30 then 'NaN' when h < 45 then %s else v end order by p)
          from (select v, p, abs(hashint8(i * 131 + p + %d)) %% 100 as h
                from unnest(dp) with ordinality as d (v, p)) as each)
        from rra_bundle as b
        where b.id = rra_bundle_id and b.policy = '%s'
          and t > to_timestamp(%d / 1000.0) and t < to_timestamp(%d / 1000.0)
        """
            .formatted(WRONG, salt, name, afterMs, beforeMs));
  }

  private Map<String, Double> filled(Map<String, Double> before, Map<String, Double> damaged) {
    var filled = new TreeMap<>(damaged);
    inRange(before).forEach(filled::putIfAbsent);
    return filled;
  }

  private Map<String, Double> overwritten(Map<String, Double> before, Map<String, Double> damaged) {
    var overwritten = new TreeMap<>(damaged);
    overwritten.keySet().removeAll(inRange(damaged).keySet());
    overwritten.putAll(inRange(before));
    return overwritten;
  }

  /** The first slots that differ, and how many there are. */
  private static List<String> differences(
      Map<String, Double> actual, Map<String, Double> expected) {
    var all = new TreeMap<>(expected);
    actual.forEach(all::putIfAbsent);
    List<String> differences =
        all.keySet().stream()
            .filter(slot -> !Objects.equals(actual.get(slot), expected.get(slot)))
            .map(slot -> "%s is %s, not %s".formatted(slot, actual.get(slot), expected.get(slot)))
            .toList();
    return differences.size() <= 5
        ? differences
        : List.of(differences.subList(0, 5).toString(), differences.size() + " of " + all.size());
  }

  private Map<String, Double> inRange(Map<String, Double> slots) {
    var some = new TreeMap<>(slots);
    some.keySet().removeIf(slot -> endMs(slot) <= fromMs || endMs(slot) > toMs);
    return some;
  }

  /** In the range, without slots that begin before the deletion and end after it. */
  private Map<String, Double> aroundDeletion(Map<String, Double> slots) {
    var some = new TreeMap<>(inRange(slots));
    some.keySet()
        .removeIf(slot -> endMs(slot) - stepMs(slot) < deletedMs && endMs(slot) > deletedMs);
    return some;
  }

  private static long stepMs(String slot) {
    return Long.parseLong(slot.split(" ", -1)[1]);
  }

  private static long endMs(String slot) {
    return Long.parseLong(slot.substring(slot.lastIndexOf('@') + 1));
  }

  private void shouldTellItsPlan() throws Exception {
    Process plan =
        start(
            List.of(
                "--live",
                "--topic=" + name,
                "--from=" + Instant.ofEpochMilli(fromMs),
                "--to=" + Instant.ofEpochMilli(toMs),
                "--dry-run"));
    assertThat(plan.waitFor()).isZero();
    assertThat(Files.readString(log()))
        .containsPattern("They hold about [0-9,]+ points, by a sample of the newest: at least")
        .contains("Nothing was changed");
  }

  /** Runs a live replay of the range, kills it and its workers while it reads, and resumes it. */
  private void replayAndKill(String... options) throws Exception {
    Process first = startReplay(options);
    awaitReading(first);
    kill(first);
    assertThat(reported()).as("reported").containsExactly("reading");
    assertThat(start(List.of("pause")).waitFor()).isZero();
    assertThat(reported()).as("reported").containsExactly("paused");
    shouldSucceed(start(List.of("resume")));
  }

  private void awaitReading(Process replay) {
    await("records that the replay has read")
        .atMost(Duration.ofMinutes(5)) // it starts a topology
        .untilAsserted(
            () -> {
              String said = Files.readString(log());
              assertThat(replay.isAlive()).as("runs: %s", said).isTrue();
              assertThat(said).contains("records read");
            });
  }

  /**
   * Runs a live replay of the range. When all is written, PostgreSQL ends its connections and has
   * forgotten that, as a replica that was behind.
   */
  private void replayAndForget() throws Exception {
    execute(CLEARING_WAITS);
    Process replay;
    try (var connection = DriverManager.getConnection(services.jdbcUrl());
        var statement = connection.createStatement()) {
      statement.execute("select pg_advisory_lock(%d)".formatted(CLEARING));
      long damaged = wrongSlots();
      replay = startReplay("--overwrite");
      await("what the replay has written")
          .atMost(Duration.ofMinutes(5)) // it starts a topology
          .until(() -> wrongSlots() < damaged / 10);
      damage(fromMs, toMs + 1);
      execute(
          "select pg_terminate_backend(pid) from pg_stat_activity"
              + " where application_name = 'rondo-job'");
    } // which lets it go on
    shouldSucceed(replay);
    execute("drop function clearing_waits cascade");
  }

  /** Slots of the range that are wrong. */
  private long wrongSlots() throws SQLException {
    return inRange(stored()).values().stream().filter(value -> value == WRONG).count();
  }

  private Process startReplay(String... options) throws IOException {
    var arguments = new ArrayList<>(List.of("--live", "--topic=" + name, "--rate=2000"));
    arguments.add("--from=" + Instant.ofEpochMilli(fromMs));
    arguments.add("--to=" + Instant.ofEpochMilli(toMs));
    arguments.addAll(Arrays.asList(options));
    return start(arguments);
  }

  private void shouldSucceed(Process replay) throws Exception {
    int code = replay.waitFor();
    assertThat(code).as(Files.readString(log())).isZero();
    assertThat(Files.readString(log())).contains("done: ");
    assertThat(reported()).as("reported").isEmpty();
  }

  /** States of the jobs that are not over, as the query API sees them. */
  private List<String> reported() throws SQLException {
    try (var connection = DriverManager.getConnection(services.jdbcUrl());
        var statement = connection.createStatement();
        var result = statement.executeQuery("select state from replay_job")) {
      var states = new ArrayList<String>();
      while (result.next()) {
        states.add(result.getString(1));
      }
      return states;
    }
  }

  /** SIGKILL, to its workers too with even chance. */
  private void kill(Process process) throws Exception {
    List<ProcessHandle> workers = process.children().toList();
    process.destroyForcibly().waitFor();
    if (random.nextBoolean()) {
      workers.forEach(ProcessHandle::destroyForcibly);
    }
  }

  private Path log() {
    return dir.resolve("replay.log");
  }

  private Process start(List<String> arguments) throws IOException {
    Path target = services.root().resolve("topology/history/target");
    List<String> command =
        new ArrayList<>(
            JavaCommand.of(
                target.resolve("*") + File.pathSeparator + target.resolve("lib/*"),
                List.of(),
                "dev.rondo.history.Main",
                "replay"));
    command.addAll(arguments);
    command.addAll(
        List.of(
            "--config=" + dir.resolve("instance-1/topology.properties"),
            "--jobs=" + dir.resolve("jobs"),
            "--postgres="
                + services
                    .jdbcUrl()
                    .replaceFirst("jdbc:postgresql://([^?]*).*", "postgresql://rondo@$1")));
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().putAll(environment);
    builder.redirectErrorStream(true).redirectOutput(Redirect.to(log().toFile()));
    Process process = builder.start();
    started.add(process);
    return process;
  }

  private void apply(String yaml) throws Exception {
    try (Producer<String, PolicyVersion> producer =
        new KafkaProducer<>(
            Map.of("bootstrap.servers", services.bootstrap()),
            Topics.POLICIES.keySerde().serializer(),
            Topics.POLICIES.valueSerde().serializer())) {
      var next = new PolicyVersion(2, System.currentTimeMillis(), name, yaml);
      producer.send(new ProducerRecord<>(Topics.POLICIES.name(), name + ":2", next)).get();
    }
  }

  private List<String> topics() throws Exception {
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", services.bootstrap()))) {
      return List.copyOf(admin.listTopics().names().get());
    }
  }

  /** Slots of the hour, by "function step ident @end". */
  private Map<String, Double> stored() throws SQLException {
    var slots = new TreeMap<String, Double>();
    for (int s = 0; s < SERIES; s++) {
      String ident = name + ".s" + s;
      slots(ident).forEach((slot, value) -> slots.put(ident + " " + slot, value));
    }
    return slots;
  }

  private Map<String, Double> slots(String series) throws SQLException {
    var slots = new TreeMap<String, Double>();
    try (var connection = DriverManager.getConnection(services.jdbcUrl());
        var statement = connection.createStatement();
        var result =
            statement.executeQuery(
                """
                select cf, b.step_ms, t, r from ds join tv on tv.ds_id = ds.id
                join rra_bundle as b on b.id = rra_bundle_id
                where ident = '{"name": "%s"}' and r is not null and t <= to_timestamp(%d)
                """
                    .formatted(series, closedMs / 1000))) {
      while (result.next()) {
        slots.put(
            "%s %d @%d"
                .formatted(
                    result.getString(1), result.getLong(2), result.getTimestamp(3).getTime()),
            result.getDouble(4));
      }
    }
    return slots;
  }

  /** Slots of ten seconds of the live series. */
  private Map<String, NavigableMap<Long, Double>> liveSlots() throws SQLException {
    var slots = new TreeMap<String, NavigableMap<Long, Double>>();
    try (var connection = DriverManager.getConnection(services.jdbcUrl());
        var statement = connection.createStatement();
        var result =
            statement.executeQuery(
                "select ident ->> 'name', t, r from ds join tv on tv.ds_id = ds.id"
                    + " where ident ->> 'name' like '%s-live.s%%' and step_ms = 10000 and r is not null"
                        .formatted(name))) {
      while (result.next()) {
        slots
            .computeIfAbsent(result.getString(1), name -> new TreeMap<>())
            .put(result.getTimestamp(2).getTime(), result.getDouble(3));
      }
    }
    return slots;
  }

  private void execute(String sql) throws SQLException {
    try (var connection = DriverManager.getConnection(services.jdbcUrl());
        var statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private static Services shared() {
    try {
      return Services.shared();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }
}
