package dev.rondo.topology;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.rondo.formats.DropReason;
import dev.rondo.formats.NameRules;
import dev.rondo.formats.RecordLimits;
import dev.rondo.formats.catalog.DecoderSettings;
import dev.rondo.formats.catalog.Format;
import dev.rondo.schemas.BundleRow;
import dev.rondo.schemas.BundleRowKey;
import dev.rondo.schemas.Event;
import dev.rondo.schemas.Point;
import dev.rondo.schemas.Points;
import dev.rondo.schemas.SeriesEntry;
import dev.rondo.schemas.Topics;
import dev.rondo.topology.archive.OpenSlot;
import dev.rondo.topology.config.TopologyConfig;
import dev.rondo.topology.consolidate.SeriesInquiry;
import dev.rondo.topology.consolidate.SeriesLocations;
import dev.rondo.topology.consolidate.SeriesState;
import dev.rondo.topology.drops.Drops;
import dev.rondo.topology.memory.MemoryBudget;
import dev.rondo.topology.order.EndOffsets;
import dev.rondo.topology.order.MergedPartitions;
import dev.rondo.topology.order.SourceHeaders;
import dev.rondo.topology.order.SourceProgress;
import dev.rondo.topology.policy.Policies;
import dev.rondo.topology.policy.PolicyVersions;
import dev.rondo.topology.source.Source;
import dev.rondo.topology.source.SourceRules;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.TestInputTopic;
import org.apache.kafka.streams.TestOutputTopic;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.TopologyTestDriver;
import org.apache.kafka.streams.test.TestRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs every step with its real serdes; tests on a real broker cover commits and restores. */
class RondoTopologyTest {
  /** Aligned on a day. */
  private static final long BASE_MS = 1_699_920_000_000L;

  private static final long BASE_S = BASE_MS / 1000;

  @TempDir Path stateDir;

  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final Drops drops = new Drops(registry, Clock.systemUTC());
  private final SeriesInquiry inquiry = new SeriesInquiry();
  private long clockMs = BASE_MS + 10_000_000;
  private List<Source> read = List.of(source("points", false, ""));
  private final SourceProgress progress = new SourceProgress(MemoryBudget.ofHeap(0).merge());
  private Set<TopicPartition> sources = Set.of(new TopicPartition("points", 0));
  private String policies = Policies.DEFAULT_YAML;
  private TopologyTestDriver driver;
  private TestInputTopic<byte[], byte[]> points;
  private TestOutputTopic<BundleRowKey, BundleRow> rows;
  private TestOutputTopic<String, SeriesEntry> series;
  private TestOutputTopic<byte[], byte[]> deadLetters;

  private Properties properties() {
    Properties properties = new Properties();
    properties.put("bootstrap.servers", "nowhere:1");
    properties.put("state.dir", stateDir.toString());
    properties.put("partitions", "1");
    properties.put("max.age.ms", String.valueOf(Duration.ofDays(1).toMillis()));
    return properties;
  }

  private Topology build(TopologyConfig config) {
    return RondoTopology.build(
        new TopologyDefinition(config, PolicyVersions.of(policies), SourceRules.of(read), 0),
        new SharedState(
            merged(config),
            progress,
            SeriesLocations.NONE,
            MemoryBudget.ofHeap(0),
            drops,
            inquiry,
            registry));
  }

  private MergedPartitions merged(TopologyConfig config) {
    if (sources.size() < 2) {
      return MergedPartitions.none(); // the driver provides no end offsets
    }
    MergedPartitions merged = RondoTopology.merged(config, SourceRules.of(read));
    merged.update(sources);
    return merged;
  }

  @BeforeEach
  void start() {
    start(properties());
  }

  private void start(Properties properties) {
    TopologyConfig config = TopologyConfig.of(properties);
    Topology topology = build(config);
    driver = new TopologyTestDriver(topology, config.streams(), Instant.ofEpochMilli(clockMs));
    points =
        driver.createInputTopic("points", new ByteArraySerializer(), new ByteArraySerializer());
    rows =
        driver.createOutputTopic(
            "rondo.bundle-rows",
            Topics.BUNDLE_ROWS.keySerde().deserializer(),
            Topics.BUNDLE_ROWS.valueSerde().deserializer());
    series =
        driver.createOutputTopic(
            "rondo.series",
            Topics.SERIES.keySerde().deserializer(),
            Topics.SERIES.valueSerde().deserializer());
    deadLetters =
        driver.createOutputTopic(
            "rondo.dead-letters", new ByteArrayDeserializer(), new ByteArrayDeserializer());
  }

  @AfterEach
  void stop() {
    driver.close();
  }

  /** Sends lines whose last field, the time, is in seconds after the base. */
  private void send(String... lines) {
    StringBuilder text = new StringBuilder();
    for (String line : lines) {
      int space = line.lastIndexOf(' ');
      long time = BASE_S + Long.parseLong(line.substring(space + 1));
      text.append(line, 0, space + 1).append(time).append('\n');
    }
    points.pipeInput(null, text.toString().getBytes(UTF_8), clockMs);
    advance(Duration.ofMillis(100));
  }

  /** Advances the clock in steps, without a jump. */
  private void advance(Duration duration) {
    clockMs += duration.toMillis();
    for (long restMs = duration.toMillis(); restMs > 0; restMs -= 1_000) {
      driver.advanceWallClockTime(Duration.ofMillis(Math.min(restMs, 1_000)));
    }
  }

  /** Values of the rows of one step that were sent so far, by seconds after the base. */
  private Map<Long, List<Double>> rowsOf(long stepMs) {
    Map<Long, List<Double>> byEnd = new TreeMap<>();
    for (BundleRow row : rows.readValuesToList()) {
      if (row.getStepMs() == stepMs) {
        byEnd.put((row.getT() - BASE_MS) / 1000, List.copyOf(row.getDp()));
      }
    }
    return byEnd;
  }

  /** Replaces the patterns of sources by their names. */
  private String described() {
    String described = build(TopologyConfig.of(properties())).describe().toString();
    SourceRules rules = SourceRules.of(read);
    for (boolean keyed : List.of(true, false)) {
      String pattern = rules.pattern(keyed).pattern();
      described = described.replace(": " + pattern + ")", ": " + rules.named(keyed) + ")");
    }
    return described;
  }

  @Test
  void shouldNameEveryNodeStoreAndTopic() throws IOException {
    String described = described();
    try (InputStream golden = getClass().getResourceAsStream("topology.txt")) {
      assertThat(described).isEqualTo(new String(golden.readAllBytes(), UTF_8));
    }
    assertThat(described).doesNotContainPattern("[0-9]{10}");
  }

  @Test
  void shouldNameEveryNodeIfSomeSourcesAreKeyed() throws IOException {
    read = List.of(source("points", false, ""), source("keyed", true, ""));
    String described = described();
    try (InputStream golden = getClass().getResourceAsStream("keyed.txt")) {
      assertThat(described).isEqualTo(new String(golden.readAllBytes(), UTF_8));
    }
    assertThat(described).doesNotContainPattern("[0-9]{10}");
  }

  private static Source source(String topic, boolean isKeyed, String policy) {
    var settings = new DecoderSettings(1024, 64, Optional.empty(), Optional.empty());
    return new Source(topic, Format.GRAPHITE, settings, isKeyed, policy);
  }

  @Test
  void shouldReportTheStateOfASeries() throws Exception {
    send("load 4 0", "load 6 13");
    SeriesState state = ask("load").orElseThrow();
    SeriesState.Location location = state.location();
    assertThat(location.policy().name()).isEqualTo("default");
    assertThat(location.newestMs()).isEqualTo(BASE_MS + 13_000);
    assertThat(location.open()).extracting(OpenSlot::endMs).startsWith(BASE_MS + 20_000);
    assertThat(location.open()).extracting(OpenSlot::knownMs).startsWith(3_000L, 13_000L);
    assertThat(state.awaited()).isEmpty();
    assertThat(new ObjectMapper().readTree(state.json()).at("/open/1/value").asDouble())
        .isEqualTo(6);
    assertThat(ask("none")).isEmpty();
  }

  @Test
  void shouldReportTheAwaitedSource() throws Exception {
    stop();
    var quick = new TopicPartition("points", 0);
    var slow = new TopicPartition("points", 1);
    sources = Set.of(quick, slow);
    start();
    progress.ends(new EndOffsets(Map.of(quick, 1L, slow, 1L), 1_000));
    send("load 4 0");
    SeriesState state = ask("load").orElseThrow();
    assertThat(state.location()).as("is not released").isNull();
    assertThat(state.merging()).isEqualTo(1);
    assertThat(state.awaited()).contains(slow);
  }

  private Optional<SeriesState> ask(String ident) throws Exception {
    var answer = inquiry.ask(ident, Duration.ofMinutes(1));
    advance(Duration.ofMillis(500)); // a tick
    return answer.get();
  }

  @Test
  void shouldNotBufferKeyedPointsBesideMergedOnes() {
    stop();
    read = List.of(source("points", false, ""), source("keyed", true, ""));
    sources = Set.of(new TopicPartition("points", 0), new TopicPartition("points", 1));
    start();
    send("free 1 0", "free 3 10");
    String lines = "half\nkeyed 1 %d\nkeyed 3 %d\n".formatted(BASE_S, BASE_S + 10);
    driver
        .createInputTopic("keyed", new ByteArraySerializer(), new ByteArraySerializer())
        .pipeInput(null, lines.getBytes(UTF_8), clockMs);
    assertThat(series.readKeyValuesToList()).extracting(e -> e.key).containsExactly("keyed");
    assertThat(rowsOf(10_000)).containsOnly(Map.entry(10L, List.of(3.0)));
    assertThat(header(deadLetters.readRecord(), "rondo.topic")).isEqualTo("keyed");
  }

  private TestOutputTopic<Integer, Points> bySeries() {
    return driver.createOutputTopic(
        "rondo-by-series-repartition",
        Serdes.Integer().deserializer(),
        Topics.POINTS_SERDE.deserializer());
  }

  @Test
  void shouldReportAllSourcesOfATaskInOneRecord() {
    stop();
    var here = new TopicPartition("points", 0);
    var there = new TopicPartition("other", 0);
    read = List.of(source("points", false, ""), source("other", false, ""));
    sources = Set.of(here, there);
    start();
    TestOutputTopic<Integer, Points> bySeries = bySeries();
    send("a 1 0");
    bySeries.readRecordsToList();
    progress.read(here, 0, clockMs, clockMs);
    progress.position(there, 0, clockMs);
    advance(Duration.ofMillis(500));

    List<String> reported = new ArrayList<>();
    for (var record : bySeries.readRecordsToList()) {
      SourceHeaders.forEachProgress(
          record.headers(),
          (id, reached) ->
              reported.add(SourceHeaders.topic(ByteBuffer.wrap(id)) + " " + reached.position()));
      reported.add("end of record");
    }
    assertThat(reported).containsExactlyInAnyOrder("points 1", "other 0", "end of record");
    progress.ends(new EndOffsets(Map.of(here, 1L, there, 0L), 1_000));
    advance(Duration.ofMillis(500));
    progress.ends(new EndOffsets(Map.of(here, 1L, there, 0L), 1_500));
    advance(Duration.ofMillis(500));
    assertThat(series.readKeyValuesToList()).as("is not buffered").hasSize(1);
  }

  @Test
  void shouldReportProgressThatChangedAndRepeatItRarely() {
    stop();
    sources = Set.of(new TopicPartition("points", 0), new TopicPartition("points", 1));
    start();
    TestOutputTopic<Integer, Points> bySeries = bySeries();
    send("a 1 0");
    progress.read(new TopicPartition("points", 0), 0, clockMs, clockMs);
    advance(Duration.ofSeconds(2));
    bySeries.readRecordsToList();

    for (int tick = 0; tick < 20; tick++) {
      advance(Duration.ofMillis(500));
    }
    assertThat(bySeries.readRecordsToList()).as("repeated every two seconds").hasSize(5);

    progress.position(new TopicPartition("points", 0), 9, clockMs); // a gap follows the record
    for (int tick = 0; tick < 20; tick++) {
      advance(Duration.ofMillis(500));
    }
    assertThat(bySeries.readRecordsToList()).as("and changed once").hasSizeBetween(5, 6);
  }

  @Test
  void shouldProcessRemainingBySeriesIfAllSourcesAreKeyed() {
    stop();
    read = List.of(source("keyed", true, ""));
    sources = Set.of();
    TopologyConfig config = TopologyConfig.of(properties());
    driver = new TopologyTestDriver(build(config), config.streams(), Instant.ofEpochMilli(clockMs));
    byte[] id = SourceHeaders.id(new TopicPartition("before", 3));
    var headers = new RecordHeaders().add(SourceHeaders.SOURCE_HEADER, id);
    driver
        .createInputTopic(
            "rondo-by-series-repartition",
            Serdes.Integer().serializer(),
            Topics.POINTS_SERDE.serializer())
        .pipeInput(
            new TestRecord<>(0, new Points("", List.of(new Point("a", BASE_MS, 1.0))), headers));
    assertThat(registry.get("rondo.consolidate.points").counter().count()).isEqualTo(1);
  }

  @Test
  void shouldUseThePolicyOfTheSourceForNewSeries() {
    stop();
    policies =
        """
        policies:
          - {name: fine, match: '.*', step: 10s, archives: ['10s:1m']}
          - {name: coarse, match: 'nothing', step: 1m, archives: ['1m:1h']}
        """;
    read = List.of(source("points", false, "coarse"), source("keyed", true, "fine"));
    start();
    send("a 1 0");
    advance(Duration.ofSeconds(1));
    driver
        .createInputTopic("keyed", new ByteArraySerializer(), new ByteArraySerializer())
        .pipeInput(null, ("b 1 " + BASE_S).getBytes(UTF_8), clockMs);
    assertThat(series.readValuesToList())
        .extracting(SeriesEntry::getIdent, SeriesEntry::getPolicy)
        .containsExactly(
            org.assertj.core.groups.Tuple.tuple("a", "coarse"),
            org.assertj.core.groups.Tuple.tuple("b", "fine"));
  }

  @Test
  void shouldTurnPointsIntoRowsOfTheirSlots() {
    send("a 0 0", "a 5 25", "a 10 30");
    advance(Duration.ofSeconds(6));
    assertThat(rowsOf(10_000))
        .containsOnly(
            Map.entry(10L, List.of(5.0)),
            Map.entry(20L, List.of(5.0)),
            Map.entry(30L, List.of(7.5)));
  }

  @Test
  void shouldSendTheWholeRowWhenEverySeriesOfTheSegmentHasAValue() {
    send("a 1 0", "b 1 0", "c 1 0");
    send("c 3 10", "a 1 10", "b 2 10");
    BundleRow row = rows.readValue();
    assertThat(rows.isEmpty()).isTrue();
    assertThat(row.getDp()).containsExactly(1.0, 2.0, 3.0);
    assertThat(row.getT()).isEqualTo(BASE_MS + 10_000);
    assertThat(row.getI()).isEqualTo((int) ((BASE_MS / 10_000 + 1) % 2160));
    assertThat(row.getWidth()).isEqualTo(116);
    assertThat(row.getCf()).isEqualTo("wmean");
  }

  @Test
  void shouldWaitForTheOtherSourcePartitions() {
    stop();
    sources = Set.of(new TopicPartition("points", 0), new TopicPartition("points", 1));
    start();
    send("a 1 0", "a 3 10");
    advance(Duration.ofSeconds(5));
    assertThat(series.isEmpty()).as("points/1 has reported no progress").isTrue();
    for (int second = 0; second < 121; second++) {
      advance(Duration.ofSeconds(1));
      send("b 1 0");
    }
    advance(Duration.ofSeconds(6));
    assertThat(rowsOf(10_000)).as("it is stuck").containsOnly(Map.entry(10L, List.of(3.0)));
  }

  @Test
  void shouldNotWaitIfSeriesKeepTheirPartition() {
    stop();
    sources = Set.of(new TopicPartition("points", 0), new TopicPartition("points", 1));
    Properties properties = properties();
    properties.put("merge.sources", "false");
    start(properties);
    String lines = "a 1 %d\na 3 %d\n".formatted(BASE_S, BASE_S + 10);
    points.pipeInput(null, lines.getBytes(UTF_8), BASE_MS);
    assertThat(rowsOf(10_000)).containsOnly(Map.entry(10L, List.of(3.0)));
  }

  @Test
  void shouldRegisterEachSeriesOnceWithItsCanonicalIdent() {
    send("m;b=2;a=1 1 0", "m;a=1;b=2 1 10", "n 1 3");
    List<SeriesEntry> entries = series.readValuesToList();
    assertThat(entries)
        .extracting(SeriesEntry::getIdent, SeriesEntry::getPos, SeriesEntry::getStartsAt)
        .containsExactly(
            org.assertj.core.groups.Tuple.tuple("m;a=1;b=2", 1, BASE_MS),
            org.assertj.core.groups.Tuple.tuple("n", 2, BASE_MS + 3_000));
  }

  @Test
  void shouldKeepOnlyTheFirstPointOfATimeAndCountTheRest() {
    send("a 0 0", "a 1 12", "a 5 11", "a 77 12", "a 3 20");
    advance(Duration.ofSeconds(6));
    assertThat(rowsOf(10_000))
        .containsOnly(Map.entry(10L, List.of(1.0)), Map.entry(20L, List.of(2.6)));
    assertThat(dropped("late")).isEqualTo(1);
    assertThat(dropped("duplicate-time")).isEqualTo(1);
  }

  @Test
  void shouldEmitSilentSeriesByStreamTimeAndByTheWallClock() {
    send("a 0 0", "a 3 8", "b 0 0");
    for (int t = 10; t <= 130; t += 10) {
      send("b 1 " + t);
    }
    advance(Duration.ofSeconds(1));
    send("b 1 140");
    advance(Duration.ofSeconds(6));
    List<Double> values = new ArrayList<>();
    for (BundleRow row : rows.readValuesToList()) {
      if (row.getStepMs() == 10_000 && row.getT() == BASE_MS + 10_000) {
        values.addAll(row.getDp());
      }
    }
    assertThat(values).as("8 s of the slot are known").contains(3.0);

    send("c 0 140", "c 4 149");
    advance(Duration.ofSeconds(130));
    assertThat(rowsOf(10_000).get(150L)).as("no sender sends any more").contains(4.0);
  }

  @Test
  void shouldRetireASilentSeriesAndReuseItsPosition() {
    restart("{name: p, match: '.*', step: 10s, expire.after: 2m, archives: ['10s:1m']}");
    send("a 1 0", "b 1 0", "a 1 10", "b 1 10");
    for (int t = 20; t <= 120; t += 10) {
      send("b 1 " + t);
      advance(Duration.ofSeconds(10));
    }
    assertThat(series.readKeyValuesToList()).extracting(e -> e.key).containsExactly("a", "b");
    send("b 1 130");
    advance(Duration.ofSeconds(10));
    assertThat(series.readKeyValue()).isEqualTo(KeyValue.pair("a", null));
    send("c 5 131", "a 1 132");
    assertThat(series.readValuesToList())
        .extracting(SeriesEntry::getIdent, SeriesEntry::getPos, SeriesEntry::getStartsAt)
        .containsExactly(
            org.assertj.core.groups.Tuple.tuple("c", 1, BASE_MS + 131_000),
            org.assertj.core.groups.Tuple.tuple("a", 3, BASE_MS + 132_000));
  }

  @Test
  void shouldRejectSeriesBeyondTheLimitOfTheirPolicyAndKeepTheOthers() {
    restart("{name: p, match: '.*', step: 10s, max.series: 2, archives: ['10s:1m']}");
    send("a 1 0", "b 1 0", "c 1 0", "a 1 10", "b 1 10", "c 1 10");
    advance(Duration.ofSeconds(6));
    assertThat(rowsOf(10_000)).containsOnly(Map.entry(10L, List.of(1.0, 1.0)));
    assertThat(dropped("too-many-series")).isEqualTo(2);
  }

  @Test
  void shouldAddIncrements() {
    restart("{name: p, match: '.*', step: 1m, finest: sum, archives: ['1m:1h']}");
    send("a 1 1", "a 1 2", "a 1 30", "a 1 200", "a 1 260", "a 1 300");
    advance(Duration.ofSeconds(6));
    assertThat(rowsOf(60_000))
        .containsOnly(
            Map.entry(60L, List.of(3.0)),
            Map.entry(240L, List.of(1.0)),
            Map.entry(300L, List.of(1.0)));
  }

  @Test
  void shouldPutPointsOfTheReorderWindowInOrder() {
    restart("{name: p, match: '.*', step: 10s, reorder: 15s, archives: ['10s:1m']}");
    send("a 0 0", "a 9 -10", "a 5 10", "a 1 4", "a 3 20");
    advance(Duration.ofSeconds(1));
    assertThat(rowsOf(10_000))
        .as("an older point than 10 may still arrive")
        .containsOnly(Map.entry(0L, List.of(0.0)));
    assertThat(dropped("late")).isZero();
    assertThat(series.readValuesToList())
        .extracting(SeriesEntry::getStartsAt)
        .containsExactly(BASE_MS, BASE_MS - 10_000);
    send("a 3 30");
    advance(Duration.ofSeconds(6));
    assertThat(rowsOf(10_000)).containsOnly(Map.entry(10L, List.of(3.4)));
    advance(Duration.ofSeconds(140));
    assertThat(rowsOf(10_000).keySet()).as("by the wall clock").contains(20L, 30L);
  }

  @Test
  void shouldNotAddUpTheExtremesOfDeltas() throws Exception {
    stop();
    var settings = new DecoderSettings(1024, 64, Optional.empty(), Optional.empty());
    read = List.of(new Source("points", Format.OTLP, settings, false, ""));
    start();
    for (int second : new int[] {0, 5}) {
      points.pipeInput(null, delta(BASE_S + second).getBytes(UTF_8), clockMs);
    }
    advance(Duration.ofMillis(100));
    assertThat(openValue("m.count;temporality=delta")).isEqualTo(4);
    assertThat(openValue("m.sum;temporality=delta")).isEqualTo(6);
    assertThat(openValue("m.min;temporality=interval")).isEqualTo(1);
    assertThat(openValue("m.max;temporality=interval")).isEqualTo(2);
  }

  /** A histogram of two values, 1 and 2, since the one before. */
  private static String delta(long timeS) {
    return """
        {"resourceMetrics":[{"scopeMetrics":[{"metrics":[{"name":"m","histogram":{
        "aggregationTemporality":1,"dataPoints":[
        {"timeUnixNano":"%d000000000","count":2,"sum":3,"min":1,"max":2}]}}]}]}]}
        """
        .formatted(timeS);
  }

  private double openValue(String ident) throws Exception {
    return ask(ident).orElseThrow().location().open().get(0).value();
  }

  private void restart(String policy) {
    stop();
    policies = "policies:\n  - " + policy + "\n";
    start();
  }

  @Test
  void shouldEmitTheOpenHourBeforeItEnds() {
    advance(Duration.ofSeconds(1)); // the first refresh, of nothing
    send(IntStream.rangeClosed(0, 40).mapToObj(n -> "a 5 " + 60 * n).toArray(String[]::new));
    assertThat(rowsOf(3_600_000)).isEmpty();
    advance(Duration.ofSeconds(61));
    advance(Duration.ofSeconds(6));
    assertThat(rowsOf(3_600_000)).containsOnly(Map.entry(3_600L, List.of(5.0)));
  }

  @Test
  void shouldWriteDeadLettersWithTheirReason() {
    long farMs = 4_070_908_800L;
    String text =
        "half a\nok 1 %d\nnot nan %d\nfuture 1 %d\nhalf b\n".formatted(BASE_S, BASE_S, farMs);
    points.pipeInput("k".getBytes(UTF_8), text.getBytes(UTF_8));
    advance(Duration.ofSeconds(6));
    Map<String, String> byReason = new TreeMap<>();
    for (TestRecord<byte[], byte[]> deadLetter : deadLetters.readRecordsToList()) {
      byReason.put(
          header(deadLetter, "rondo.reason") + " x " + header(deadLetter, "rondo.count"),
          new String(deadLetter.value(), UTF_8));
      assertThat(header(deadLetter, "rondo.topic")).isEqualTo("points");
      assertThat(header(deadLetter, "rondo.partition")).isEqualTo("0");
      assertThat(header(deadLetter, "rondo.offset")).isEqualTo("0");
      assertThat(deadLetter.key()).isEqualTo("k".getBytes(UTF_8));
    }
    assertThat(byReason)
        .containsOnly(
            Map.entry("unreadable x 2", "half a\nhalf b"),
            Map.entry("not-a-number x 1", "not nan " + BASE_S),
            Map.entry("too-far-in-the-future x 1", "future 1 " + farMs));
    assertThat(dropped("unreadable")).isEqualTo(2);
    assertThat(series.readValue().getIdent()).isEqualTo("ok");
  }

  /** Otherwise a replay would store a point that was first rejected, and block its series. */
  @Test
  void shouldCompareTheFutureWithTheRecordTime() {
    long writtenMs = clockMs - 86_400_000;
    String text = "a 1 %d\na 1 %d\n".formatted(writtenMs / 1000 + 600, writtenMs / 1000 + 601);
    points.pipeInput(null, text.getBytes(UTF_8), writtenMs);
    assertThat(dropped("too-far-in-the-future")).isEqualTo(1);
    assertThat(registry.get("rondo.consolidate.points").counter().count()).isEqualTo(1);
  }

  /** Units, organisations and dropped labels are not in names. */
  @Test
  void shouldCountPointsThatDifferOnlyInOmittedPartsAsCollisions() {
    stop();
    policies =
        """
        policies:
          - {name: adds, match: '^added', step: 10s, heartbeat: 0, finest: sum, archives: ["10s:1d"]}
          - {name: whisper, match: '.*', step: 10s, heartbeat: 0, archives: ["10s:1d"]}
        """;
    var settings =
        new DecoderSettings(
            1024,
            64,
            Optional.empty(),
            Optional.empty(),
            RecordLimits.DEFAULT,
            new NameRules(Optional.empty(), "", List.of(Pattern.compile("pod")), Map.of()),
            Optional.empty());
    read = List.of(new Source("points", Format.GRAPHITE, settings, false, ""));
    start();
    send("a;pod=1 3 5", "a;pod=2 5 5", "added;pod=1 3 5", "added;pod=2 5 5");
    assertThat(dropped("name-collision")).isEqualTo(1);
    assertThat(drops.newestFirst(DropReason.NAME_COLLISION).get(0).last().ident()).isEqualTo("a");
    assertThat(registry.get("rondo.consolidate.points").counter().count()).isEqualTo(3);
  }

  private static final String SHORT_AND_LONG =
      """
      policies:
        - {name: short, match: '^short', step: 10s, archives: ["10s:6h"]}
        - {name: long, match: '.*', step: 10s, archives: ["10s:6h", "1m:7d"]}
      """;

  private void startWithShortAndLongArchives() {
    stop();
    policies = SHORT_AND_LONG;
    Properties properties = properties();
    properties.put("max.age.ms", "0");
    start(properties);
  }

  /** A line whose time is this far behind its record. */
  private static String line(String series, long writtenMs, Duration age) {
    return "%s 1 %d\n".formatted(series, writtenMs / 1000 - age.toSeconds());
  }

  @Test
  void shouldRejectPointsOlderThanTheLongestArchiveOfTheirSeries() {
    startWithShortAndLongArchives();
    String old =
        "metric;tag1=a;tag2=rack 7 2\nrack 7 3\n"
            + line("short", clockMs, Duration.ofHours(7))
            + line("long", clockMs, Duration.ofHours(24 * 7 + 1));
    String kept =
        line("short", clockMs, Duration.ofHours(6)) + line("long", clockMs, Duration.ofHours(7));
    points.pipeInput(null, (old + kept).getBytes(UTF_8), clockMs);
    assertThat(registry.get("rondo.consolidate.points").counter().count()).isEqualTo(2);
    assertThat(dropped("too-old")).isEqualTo(4);
    advance(Duration.ofSeconds(6));
    TestRecord<byte[], byte[]> deadLetter = deadLetters.readRecord();
    assertThat(header(deadLetter, "rondo.reason")).isEqualTo("too-old");
    assertThat(header(deadLetter, "rondo.count")).isEqualTo("4");
    assertThat(new String(deadLetter.value(), UTF_8)).isEqualTo(old.strip());
  }

  /** Otherwise neither a replay nor a backlog would fill all that an archive covers. */
  @Test
  void shouldCompareTheAgeOfPointsWithTheRecordTime() {
    startWithShortAndLongArchives();
    long writtenMs = clockMs - Duration.ofDays(30).toMillis();
    String lines =
        line("short", writtenMs, Duration.ofHours(5)) + line("long", writtenMs, Duration.ofDays(6));
    points.pipeInput(null, lines.getBytes(UTF_8), writtenMs);
    assertThat(registry.get("rondo.consolidate.points").counter().count()).isEqualTo(2);
    assertThat(dropped("too-old")).isZero();
  }

  @Test
  void shouldCountThePointsOfASenderWhoseClockIsBehind() {
    for (long behindS : new long[] {0, 600, 601, 3600}) { // max.future.ms is ten minutes
      points.pipeInput(
          null, "host%d 1 %d".formatted(behindS, BASE_S - behindS).getBytes(UTF_8), BASE_MS);
    }
    var behind = registry.get("rondo.decode.behind.points").tag("source", "points").counter();
    assertThat(behind.count()).isEqualTo(2);
  }

  @Test
  void shouldBoundTheAgeOfPointsByItsSetting() {
    stop();
    policies = SHORT_AND_LONG;
    start(properties());
    String lines =
        line("short", clockMs, Duration.ofHours(23))
            + line("long", clockMs, Duration.ofHours(25))
            + "long 1 2\n";
    points.pipeInput(null, lines.getBytes(UTF_8), clockMs);
    assertThat(registry.get("rondo.consolidate.points").counter().count()).isEqualTo(1);
    assertThat(dropped("too-old")).isEqualTo(2);
  }

  @Test
  void shouldOnlyCountPiecesBeyondTheDeadLetterRateLimit() {
    stop();
    Properties properties = properties();
    properties.put("dead.letters.max.bytes.per.second", "10");
    start(properties);
    for (int n = 0; n < 30; n++) {
      points.pipeInput(null, "half a\nhalf".getBytes(UTF_8), clockMs);
    }
    assertThat(deadLetters.readValuesToList()).hasSize(2);
    assertThat(dropped("unreadable")).isEqualTo(60);
    assertThat(
            registry
                .get("rondo.dead.letters.not.kept")
                .tag("reason", "unreadable")
                .counter()
                .count())
        .isEqualTo(2 * (30 - 2));
  }

  @Test
  void shouldTruncateADeadLetterThatWouldNotFitItsTopic() {
    byte[] huge = new byte[3 * 1024 * 1024];
    points.pipeInput(null, huge);
    TestRecord<byte[], byte[]> deadLetter = deadLetters.readRecord();
    assertThat(deadLetter.value()).hasSize(2 * 1024 * 1024);
    assertThat(header(deadLetter, "rondo.bytes")).isEqualTo(Integer.toString(huge.length));
  }

  @Test
  void shouldOmitKeyAndHeadersOfADeadLetterThatWouldNotFitItsTopic() {
    RecordHeaders headers = new RecordHeaders();
    headers.add("trace", new byte[5_000_000]);
    points.pipeInput(new TestRecord<>(new byte[5_000_001], "garbage".getBytes(UTF_8), headers));
    TestRecord<byte[], byte[]> deadLetter = deadLetters.readRecord();
    assertThat(deadLetter.key()).isNull();
    assertThat(header(deadLetter, "rondo.key.bytes")).isEqualTo("5000001");
    assertThat(deadLetter.headers().lastHeader("trace")).isNull();
    assertThat(header(deadLetter, "rondo.headers.bytes")).isEqualTo("5000013");
    assertThat(deadLetter.value()).isEqualTo("garbage".getBytes(UTF_8));
    assertThat(header(deadLetter, "rondo.reason")).isEqualTo("unreadable");
  }

  @Test
  void shouldStoreEveryPointOfARecordThatExpands() {
    stop();
    var settings = new DecoderSettings(1024, 64, Optional.empty(), Optional.empty());
    read = List.of(new Source("points", Format.INFLUX, settings, false, ""));
    start();
    int fields = 12_000;
    String line =
        IntStream.range(0, fields)
            .mapToObj(n -> "f" + n + "=1")
            .collect(Collectors.joining(",", "m,tag=" + "x".repeat(900) + " ", " " + BASE_S))
            .concat("000000000");
    points.pipeInput(null, line.getBytes(UTF_8), clockMs);
    assertThat(registry.get("rondo.consolidate.points").counter().count()).isEqualTo(fields);
  }

  @Test
  void shouldRejectTimesOfAnotherUnit() {
    stop();
    var settings = new DecoderSettings(1024, 64, Optional.empty(), Optional.empty());
    read = List.of(new Source("points", Format.INFLUX, settings, false, ""));
    start();
    String lines = "m v=1 %d\nm v=1 -1000000\nm v=1 0\nm v=2 1000000\n".formatted(Long.MIN_VALUE);
    points.pipeInput(null, lines.getBytes(UTF_8), clockMs);
    assertThat(dropped("too-old")).isEqualTo(4);
    assertThat(registry.get("rondo.consolidate.points").counter().count()).isZero();
  }

  @Test
  void shouldCountRecordsWithoutBytesAndKeepNoDeadLetters() {
    points.pipeInput(new TestRecord<>("k".getBytes(UTF_8), null));
    points.pipeInput(new TestRecord<>("k".getBytes(UTF_8), new byte[0]));
    assertThat(dropped("empty")).isEqualTo(2);
    assertThat(dropped("unreadable")).isZero();
    assertThat(deadLetters.isEmpty()).isTrue();
  }

  @Test
  void shouldStoreTheStartOfARecordOverItsLimitAndKeepItAsADeadLetter() {
    stop();
    var settings =
        new DecoderSettings(
            1024,
            64,
            Optional.empty(),
            Optional.empty(),
            new RecordLimits(1000, 2, 1000),
            NameRules.NONE,
            Optional.empty());
    read = List.of(new Source("points", Format.INFLUX, settings, false, ""));
    start();
    byte[] record = ("m a=1,b=2,c=3 " + BASE_S + "000000000").getBytes(UTF_8);
    points.pipeInput(null, record, clockMs);
    TestRecord<byte[], byte[]> deadLetter = deadLetters.readRecord();
    assertThat(deadLetter.value()).isEqualTo(record);
    assertThat(header(deadLetter, "rondo.reason")).isEqualTo("record-over-limit");
    assertThat(header(deadLetter, "rondo.detail")).contains("record.max.points");
    assertThat(registry.get("rondo.consolidate.points").counter().count()).isEqualTo(2);
  }

  @Test
  void shouldPassEventsWithTheirOriginAndKeepBadOnesAsDeadLetters() {
    stop();
    var settings =
        new DecoderSettings(
            1024,
            64,
            Optional.empty(),
            Optional.empty(),
            RecordLimits.DEFAULT,
            NameRules.NONE,
            Optional.empty(),
            List.of("scope:shop"));
    read =
        List.of(source("points", false, ""), new Source("ci", Format.EVENTS, settings, false, ""));
    start();
    var events =
        driver.createOutputTopic(
            Topics.EVENTS.name(),
            Topics.EVENTS.keySerde().deserializer(),
            Topics.EVENTS.valueSerde().deserializer());
    var ci = driver.createInputTopic("ci", new ByteArraySerializer(), new ByteArraySerializer());
    String record =
        """
        {"what":"deploy","tags":"web","when":%d}{"what":"a","tags":"scope:blog"}{"what":"b"}
        {"what":"late","when":%d}{"what":"early","when":7}
        """
            .formatted(BASE_S, clockMs / 1000 + 86_400);
    ci.pipeInput(null, record.getBytes(UTF_8), clockMs);
    String origin = "ci-0@0#%d@" + clockMs;
    assertThat(events.readKeyValuesToList())
        .extracting(each -> each.value)
        .containsExactly(
            new Event(
                origin.formatted(0), BASE_S * 1000, "deploy", List.of("web", "scope:shop"), ""),
            new Event(origin.formatted(1), clockMs, "b", List.of("scope:shop"), ""));
    TestRecord<byte[], byte[]> foreign = deadLetters.readRecord();
    assertThat(header(foreign, "rondo.reason")).isEqualTo("unsupported");
    assertThat(foreign.value())
        .isEqualTo("{\"what\":\"a\",\"tags\":\"scope:blog\"}".getBytes(UTF_8));
    assertThat(header(deadLetters.readRecord(), "rondo.reason")).isEqualTo("too-far-in-the-future");
    assertThat(header(deadLetters.readRecord(), "rondo.reason")).isEqualTo("too-old");
    assertThat(registry.get("rondo.decode.events").counter().count()).isEqualTo(2);
  }

  private void startWithInflux(String policy) {
    stop();
    policies = "policies:\n  - " + policy + "\n";
    var settings = new DecoderSettings(64, 64, Optional.empty(), Optional.empty());
    read = List.of(new Source("points", Format.INFLUX, settings, false, ""));
    start();
  }

  private void sendInflux(String fields, int second) {
    points.pipeInput(null, influx(fields, second).getBytes(UTF_8), clockMs);
  }

  private static String influx(String fields, int second) {
    return "m %s %d000000000\n".formatted(fields, BASE_S + second);
  }

  /** Sends the newest dead letter as {@code dead-letters resend} does. */
  private void resend() {
    List<TestRecord<byte[], byte[]>> all = deadLetters.readRecordsToList();
    TestRecord<byte[], byte[]> last = all.get(all.size() - 1);
    points.pipeInput(
        new TestRecord<>(last.key(), last.value(), last.headers(), Instant.ofEpochMilli(clockMs)));
    advance(Duration.ofMillis(100));
  }

  @Test
  void shouldAddAnIncrementOnceDespiteAResentDeadLetter() throws Exception {
    startWithInflux("{name: p, match: '.*', step: 1m, finest: sum, archives: ['1m:1h']}");
    sendInflux("a=1,b=?,c=2", 5);
    resend();
    resend();
    assertThat(openValue("m.a")).isEqualTo(1);
    assertThat(openValue("m.c")).isEqualTo(2);
    assertThat(dropped("unreadable")).as("came back twice").isEqualTo(3);
  }

  @Test
  void shouldStoreOnlyUnstoredPointsOfAResentRecord() throws Exception {
    startWithInflux("{name: p, match: '.*', step: 1m, finest: sum, archives: ['1m:1h']}");
    String longName = "n".repeat(70);
    String lines = influx("x=4", 5) + influx("a=1,%s=3".formatted(longName), 5) + influx("y=4", 5);
    points.pipeInput(null, lines.getBytes(UTF_8), clockMs);
    TestRecord<byte[], byte[]> deadLetter = deadLetters.readRecord();
    assertThat(header(deadLetter, "rondo.reason")).isEqualTo("name-too-long");
    stop();
    var settings = new DecoderSettings(1024, 64, Optional.empty(), Optional.empty());
    read = List.of(new Source("points", Format.INFLUX, settings, false, ""));
    start();
    points.pipeInput(deadLetter);
    advance(Duration.ofMillis(100));
    assertThat(openValue("m." + longName)).isEqualTo(3);
    assertThat(ask("m.a")).as("is not read again").isEmpty();
  }

  @Test
  void shouldStorePointsRejectedForSeveralReasonsOnce() throws Exception {
    startWithInflux("{name: p, match: '.*', step: 1m, finest: sum, archives: ['1m:1h']}");
    String longName = "n".repeat(70);
    sendInflux("a=1,%s=3,b=?,%s=4".formatted(longName, longName + "m"), 5);
    sendInflux("c=1", 5);
    List<TestRecord<byte[], byte[]>> all = deadLetters.readRecordsToList();
    assertThat(all).extracting(each -> header(each, "rondo.reason")).hasSize(2);
    stop();
    var settings = new DecoderSettings(1024, 64, Optional.empty(), Optional.empty());
    read = List.of(new Source("points", Format.INFLUX, settings, false, ""));
    start();
    all.forEach(points::pipeInput);
    advance(Duration.ofMillis(100));
    assertThat(openValue("m." + longName)).isEqualTo(3);
    assertThat(openValue("m." + longName + "m")).isEqualTo(4);
    assertThat(ask("m.a")).isEmpty();
    assertThat(dropped("unreadable")).isEqualTo(2);
  }

  @Test
  void shouldNotLetAStoredPointOfADeadLetterWinInWhisperMode() throws Exception {
    startWithInflux("{name: p, match: '.*', step: 1m, heartbeat: 0, archives: ['1m:1h']}");
    sendInflux("a=1,b=?", 5);
    sendInflux("a=2", 8);
    resend();
    assertThat(openValue("m.a")).isEqualTo(2);
  }

  private static String header(TestRecord<byte[], byte[]> record, String name) {
    Header header = record.headers().lastHeader(name);
    return new String(header.value(), UTF_8);
  }

  private double dropped(String reason) {
    return registry.get("rondo.drops.points").tag("reason", reason).counter().count();
  }
}
