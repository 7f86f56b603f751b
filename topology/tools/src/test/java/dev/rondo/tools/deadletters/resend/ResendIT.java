package dev.rondo.tools.deadletters.resend;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.rondo.embedded.NewTopics;
import dev.rondo.embedded.TopologyProcess;
import dev.rondo.formats.schemaregistry.RegistryServer;
import dev.rondo.testbed.KafkaSpace;
import dev.rondo.testbed.TestBed;
import dev.rondo.tools.command.Commands;
import dev.rondo.tools.deadletters.DeadLettersCommand;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * Points that the real topology could not store are stored after a setting is corrected and they
 * are resent.
 */
class ResendIT {
  private static final int PARTITIONS = 4;
  private static final int POINTS = 200;
  private static final String LONG_NAME = "shop.prod.rack01.web00001.cpu.core01";

  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  Path dir;

  private final RegistryServer registry = RegistryServer.start(0);
  private final KafkaSpace kafka = TestBed.kafka();
  private final String points = kafka.source("points");
  private final String framed = kafka.source("framed");
  private TopologyProcess topology;

  @BeforeEach
  void start() throws Exception {
    try (Admin admin = Admin.create(kafka.client())) {
      NewTopics.create(
          admin,
          List.of(new NewTopic(points, PARTITIONS, (short) 1), new NewTopic(framed, 1, (short) 1)));
    }
    topology =
        new TopologyProcess(dir, kafka.bootstrap())
            .set("rondo.prefix", kafka.prefix())
            .set("max.age.ms", Long.MAX_VALUE)
            .set("partitions", 2);
    Path sources =
        Files.writeString(
            dir.resolve("sources.yaml"),
            """
            registries: {main: {url: '%s', timeout: 10s, retry: 1ms}}
            sources:
              - {topic: %s, format: auto}
              - {topic: %s, format: avro, registry: main, mapping: {values: [load]}}
            """
                .formatted(registry.url(), points, framed));
    topology.set("sources.file", sources).set("ident.max.bytes", 20).start();
  }

  @AfterEach
  void stop() {
    if (topology != null) {
      topology.close();
    }
    registry.close();
  }

  private List<String> run(String... arguments) {
    StringWriter out = new StringWriter();
    int code =
        Commands.commandLine(new DeadLettersCommand())
            .setOut(new PrintWriter(out, true))
            .execute(
                Stream.of(
                        Arrays.asList(arguments),
                        List.of("--config", topology.settings().toString()))
                    .flatMap(List::stream)
                    .toArray(String[]::new));
    assertThat(code).as(out.toString()).isZero();
    return out.toString().lines().toList();
  }

  /** Writes records with a good and a bad point each, to all partitions, and one that stays bad. */
  private void publish() throws Exception {
    Map<String, Object> config = kafka.client();
    List<Future<?>> sent = new ArrayList<>();
    try (var producer =
        new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer())) {
      for (int n = 0; n < POINTS; n++) {
        long second = 1_700_000_000L + 10L * n;
        String lines = "short %d %d\n%s %d %d\n".formatted(n, second, LONG_NAME, n, second);
        sent.add(
            producer.send(
                new ProducerRecord<>(points, n % PARTITIONS, null, lines.getBytes(UTF_8))));
        producer.flush(); // points of a series are written one after the other
      }
      sent.add(producer.send(new ProducerRecord<>(points, "garbage".getBytes(UTF_8))));
    }
    for (Future<?> each : sent) {
      each.get();
    }
  }

  @Test
  void shouldStoreResentPointsAfterTheLimitIsRaised() throws Exception {
    publish();
    await().until(() -> topology.metric("rondo_consolidate_points_total") == POINTS);
    await()
        .until(
            () -> run("--limit", "1000").stream().filter(this::isDeadLetter).count() == POINTS + 1);
    assertThat(run("--reason", "unreadable"))
        .contains("  fields: 1, not path value time: 'garbage'", "  garbage");
    assertThat(run("--summary"))
        .anyMatch(line -> line.matches(" +200 +200 .* name-too-long +" + points));
    topology.close();
    topology.set("ident.max.bytes", 100).start();

    assertThat(run("resend")).endsWith("Sent: 201 dead letters.");
    await().until(() -> topology.metric("rondo_consolidate_points_total") == POINTS);
    await().until(() -> topology.dropped("unreadable") == 1);
    assertThat(topology.dropped("late")).isZero();
    assertThat(topology.dropped("duplicate-time")).isZero();

    await()
        .until(
            () -> run().stream().anyMatch(line -> line.contains("came back after resending: 1")));
    assertThat(run("resend", "--reason", "name-too-long")).endsWith("Sent: 0 dead letters.");
    for (int again = 2; again <= 3; again++) {
      assertThat(run("resend")).endsWith("Sent: 1 dead letters.");
      String comesBack = "came back after resending: " + again;
      await().until(() -> run().stream().anyMatch(l -> l.contains(comesBack)));
    }
    assertThat(run("resend"))
        .contains(
            "Not sent: 1, sent 3 times and came back each time (--again sends them once more)")
        .endsWith("Sent: 0 dead letters.");
    assertThat(topology.metric("rondo_consolidate_points_total")).isEqualTo(POINTS);
    shouldStoreWhatTheRegistryDidNotKnow();
  }

  private void shouldStoreWhatTheRegistryDidNotKnow() throws Exception {
    Map<String, Object> config = kafka.client();
    try (var producer =
        new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer())) {
      long atMs = System.currentTimeMillis(); // the time of the points
      byte[] value = {0, 0, 0, 0, 7, 2};
      producer.send(new ProducerRecord<>(framed, 0, atMs, null, value)).get();
      var named = new ProducerRecord<byte[], byte[]>(framed, 0, atMs + 1, null, new byte[] {4});
      named.headers().add("__value_schema_id", new byte[] {0, 0, 0, 0, 7});
      producer.send(named).get();
    }
    await().until(() -> topology.dropped("unknown-schema") == 2);
    await()
        .until(
            () ->
                run("--reason", "unknown-schema").stream().filter(this::isDeadLetter).count() == 2);
    registry.put(
        "/schemas/ids/7",
        "AVRO",
        "{\"type\":\"record\",\"name\":\"R\",\"fields\":[{\"name\":\"load\",\"type\":\"long\"}]}");
    assertThat(run("resend", "--reason", "unknown-schema")).endsWith("Sent: 2 dead letters.");
    await().until(() -> topology.metric("rondo_consolidate_points_total") == POINTS + 2);
  }

  private boolean isDeadLetter(String line) {
    return line.startsWith("20");
  }
}
