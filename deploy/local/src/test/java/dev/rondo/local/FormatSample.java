package dev.rondo.local;

import dev.rondo.schemas.PointBatchWriter;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A record of a real producer of a format, and its points. These are years old and far apart, so
 * their policy sets slots like Whisper.
 *
 * @param topic also the first node of all its series
 * @param settings of its source
 * @param record the record's value
 * @param points ident, value, epoch seconds or ms
 */
record FormatSample(String topic, String settings, ByteBuffer record, List<String> points) {
  private static final long STEP_MS = 10_000;

  /** Earlier times are seconds. */
  private static final long FIRST_MS = 100_000_000_000L;

  /** A series whose text is a valid target. */
  private static final Pattern POINT =
      Pattern.compile("(?<ident>[\\w.;=:-]+) (?<value>[-+.\\dE]+) (?<time>\\d+)");

  private static final Path GOLDEN =
      Path.of(
          System.getProperty("rondo.root"),
          "topology/formats/src/test/resources/dev/rondo/formats");

  static List<FormatSample> all() throws IOException {
    String tagged = "graphite/telegraf-tags.txt";
    String samples = "prometheus/points.txt";
    return List.of(
        golden("graphite", "format: graphite", tagged, tagged),
        // in paths, Telegraf's Graphite writes "-" for the "/" of Influx
        without("path=-", golden("influx", "format: influx", "influx/telegraf.txt", tagged)),
        without("path=-", golden("influx-auto", "format: auto", "influx/telegraf.txt", tagged)),
        golden("putval", "format: putval", "putval/putval.txt", "putval/graphite.txt"),
        golden("telegraf", "format: json", "json/telegraf-batch.json", "json/telegraf-batch.txt"),
        golden(
            "telegraf-ns",
            "format: json, dialect: telegraf, time.unit: ns",
            "json/telegraf-batch-ns.json",
            "json/telegraf-batch-ns.txt"),
        golden("collectd", "format: json", "json/collectd.json", "json/collectd.txt"),
        golden("jsonline", "format: auto", "json/jsonline.json", "json/jsonline.txt"),
        golden("opentsdb", "format: auto", "json/opentsdb.json", "json/opentsdb.txt"),
        golden("plain", "format: json, keyed: true", "json/plain.json", "json/plain.txt"),
        golden(
            "adapter",
            "format: json",
            "json/prometheus-adapter.json",
            "json/prometheus-adapter.txt"),
        // without a time, when the record was written
        without("login.", golden("vector", "format: json", "json/vector.json", "json/vector.txt")),
        withoutProcess(
            golden("otlp", "format: otlp", "otlp/cumulative.bin", "otlp/cumulative.txt")),
        withoutProcess(golden("otlp-json", "format: auto", "otlp/delta.json", "otlp/delta.txt")),
        golden("remote-write", "format: auto", "prometheus/write-request.plain", samples),
        golden(
            "remote-write-snappy",
            "format: prometheus",
            "prometheus/write-request.snappy",
            samples),
        golden("remote-write-zstd", "format: prometheus", "prometheus/write-request.zstd", samples),
        metrictank(),
        own());
  }

  private static FormatSample golden(String topic, String settings, String record, String points)
      throws IOException {
    return new FormatSample(
        topic,
        settings,
        ByteBuffer.wrap(Files.readAllBytes(GOLDEN.resolve(record))),
        Files.readAllLines(GOLDEN.resolve(points)));
  }

  /** Without the points whose line contains this: they have another origin. */
  private static FormatSample without(String part, FormatSample sample) {
    return new FormatSample(
        sample.topic(),
        sample.settings(),
        sample.record(),
        sample.points().stream().filter(line -> !line.contains(part)).toList());
  }

  /** JSON lists cannot be part of a target. */
  private static FormatSample withoutProcess(FormatSample sample) {
    return new FormatSample(
        sample.topic(),
        sample.settings() + ", labels: {drop: ['process[.].*']}",
        sample.record(),
        sample.points().stream().map(line -> line.replaceAll(";process[.][^; ]*", "")).toList());
  }

  private static FormatSample metrictank() {
    String data =
        "89a24964d922312e3862383465316265363638646434373461303161323262373264333763333362"
            + "a54f7267496401a44e616d65b6736572766572732e77656230312e6370752e69646c65a8496e7465"
            + "7276616c0aa556616c7565cb405885c28f5c28f6a4556e6974a7756e6b6e6f776ea454696d65ce56"
            + "be6e72a54d74797065a56761756765a45461677391a664633d616d73";
    return new FormatSample(
        "metrictank",
        "format: metrictank",
        ByteBuffer.wrap(HexFormat.of().parseHex(data)),
        List.of("servers.web01.cpu.idle;dc=ams 98.09 1455320690"));
  }

  private static FormatSample own() {
    PointBatchWriter batch = new PointBatchWriter();
    batch.add("shop.orders;dc=ams", 1_700_000_000_000L, 42.5);
    batch.add("shop.orders;dc=fra", 1_700_000_000_000L, 7);
    batch.add("shop.orders;dc=ams", 1_700_000_010_000L, 43.5);
    return new FormatSample(
        "native",
        "format: native",
        ByteBuffer.wrap(batch.take()),
        List.of(
            "shop.orders;dc=ams 42.5 1700000000",
            "shop.orders;dc=fra 7 1700000000",
            "shop.orders;dc=ams 43.5 1700000010"));
  }

  /** Returns an item of a policies file, for all samples. */
  static String policy() throws IOException {
    String topics = all().stream().map(FormatSample::topic).collect(Collectors.joining("|"));
    return "  - {name: years, match: '^(%s)[.]', step: %ds, heartbeat: 0, archives: ['%2$ds:20y']}%n"
        .formatted(topics, STEP_MS / 1000);
  }

  /** Returns an item of a sources file. */
  String source() {
    return "  - {topic: %s, prefix: %1$s, %s}%n".formatted(topic, settings);
  }

  /** Returns the last value of each series in each slot, by the slot's start in epoch seconds. */
  Map<Long, Map<String, Double>> slots() {
    Map<Long, Map<String, Double>> slots = new TreeMap<>();
    for (String line : points) {
      Matcher point = POINT.matcher(line);
      if (point.matches()) {
        long time = Long.parseLong(point.group("time"));
        long ms = time < FIRST_MS ? 1000 * time : time;
        slots
            .computeIfAbsent(ms / STEP_MS * STEP_MS / 1000, begin -> new TreeMap<>())
            .put(topic + "." + point.group("ident"), Double.parseDouble(point.group("value")));
      }
    }
    return slots;
  }

  @Override
  public String toString() {
    return topic;
  }
}
