package dev.rondo.topology.letters;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.rondo.embedded.ChildProcess;
import dev.rondo.embedded.FreePort;
import dev.rondo.embedded.JavaCommand;
import dev.rondo.embedded.KafkaBroker;
import dev.rondo.embedded.Launch;
import dev.rondo.topology.Main;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
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
 * What the real topology could not store is stored, once a setting is right and it is sent again.
 */
class ResendIT {
  private static final Duration BOUND = Duration.ofMinutes(1);
  private static final int PARTITIONS = 4;
  private static final int POINTS = 200;
  private static final String LONG_NAME = "shop.prod.rack01.web00001.cpu.core01";

  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  Path dir;

  private KafkaBroker kafka;
  private ChildProcess topology;
  private Path settings;
  private int httpPort;

  @BeforeEach
  void start() throws Exception {
    kafka = KafkaBroker.start(dir.resolve("kafka"), 0);
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrap()))) {
      admin.createTopics(List.of(new NewTopic("points", PARTITIONS, (short) 1))).all().get();
    }
    httpPort = FreePort.choose();
    startTopology(20);
  }

  @AfterEach
  void stop() {
    if (topology != null) {
      topology.close();
    }
    kafka.close();
  }

  private void startTopology(int identMaxBytes) throws Exception {
    settings = dir.resolve("topology.properties");
    Files.writeString(
        settings,
        """
        bootstrap.servers=%s
        state.dir=%s
        http.port=%d
        partitions=2
        commit.interval.ms=200
        ident.max.bytes=%d
        """
            .formatted(kafka.bootstrap(), dir.resolve("state"), httpPort, identMaxBytes));
    topology =
        ChildProcess.start(
            "topology",
            JavaCommand.of(
                System.getProperty("java.class.path"),
                List.of("-Xmx512m", "-Dlog4j2.configurationFile=log4j2.properties"),
                Main.class.getName(),
                settings.toString()),
            Map.of(),
            dir,
            Launch.to(dir.resolve("topology.log")));
    topology.awaitReady(BOUND, () -> get("/health").contains("RUNNING"));
  }

  private String get(String path) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + httpPort + path)).build();
    return HttpClient.newHttpClient().send(request, BodyHandlers.ofString()).body();
  }

  private double metric(String name) throws Exception {
    return get("/metrics")
        .lines()
        .filter(line -> line.startsWith(name + " "))
        .mapToDouble(line -> Double.parseDouble(line.substring(name.length() + 1)))
        .findFirst()
        .orElseThrow();
  }

  private double dropped(String reason) throws Exception {
    return metric("rondo_drops_points_total{reason=\"" + reason + "\"}");
  }

  private List<String> run(String... arguments) {
    StringWriter out = new StringWriter();
    int code =
        DeadLettersCommand.commandLine()
            .setOut(new PrintWriter(out, true))
            .execute(
                Stream.of(Arrays.asList(arguments), List.of("--config", settings.toString()))
                    .flatMap(List::stream)
                    .toArray(String[]::new));
    assertThat(code).as(out.toString()).isZero();
    return out.toString().lines().toList();
  }

  /** A good point beside a bad one in each record, any partition; and one that stays bad. */
  private void publish() throws Exception {
    Map<String, Object> config = Map.of("bootstrap.servers", kafka.bootstrap());
    List<Future<?>> sent = new ArrayList<>();
    try (var producer =
        new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer())) {
      for (int n = 0; n < POINTS; n++) {
        long second = 1_700_000_000L + 10L * n;
        String lines = "short %d %d\n%s %d %d\n".formatted(n, second, LONG_NAME, n, second);
        sent.add(
            producer.send(
                new ProducerRecord<>("points", n % PARTITIONS, null, lines.getBytes(UTF_8))));
        producer.flush(); // points of a series are written one after the other
      }
      sent.add(producer.send(new ProducerRecord<>("points", "garbage".getBytes(UTF_8))));
    }
    for (Future<?> each : sent) {
      each.get();
    }
  }

  @Test
  void shouldStoreWhatWasTooLongOnceItMayBeAsLong() throws Exception {
    publish();
    await().atMost(BOUND).until(() -> metric("rondo_consolidate_points_total") == POINTS);
    await()
        .atMost(BOUND)
        .until(() -> run("--limit", "1000").stream().filter(this::isLetter).count() == POINTS + 1);
    assertThat(run("--reason", "unreadable"))
        .contains("  fields: 1, not path value time: 'garbage'", "  garbage");
    assertThat(run("--summary"))
        .anyMatch(line -> line.matches(" +200 +200 .* name-too-long +points"));
    topology.close();
    startTopology(100);

    assertThat(run("resend")).endsWith("Sent: 201 letters.");
    await().atMost(BOUND).until(() -> metric("rondo_consolidate_points_total") == POINTS);
    await().atMost(BOUND).until(() -> dropped("unreadable") == 1);
    assertThat(dropped("late")).isZero();
    assertThat(dropped("duplicate-time")).isZero();

    await()
        .atMost(BOUND)
        .until(
            () -> run().stream().anyMatch(line -> line.contains("came back after sent again: 1")));
    assertThat(run("resend", "--reason", "name-too-long")).endsWith("Sent: 0 letters.");
    for (int again = 2; again <= 3; again++) {
      assertThat(run("resend")).endsWith("Sent: 1 letters.");
      String comesBack = "came back after sent again: " + again;
      await().atMost(BOUND).until(() -> run().stream().anyMatch(l -> l.contains(comesBack)));
    }
    assertThat(run("resend"))
        .contains("Not sent: 1, sent 3 times and always came back (--again sends them once more)")
        .endsWith("Sent: 0 letters.");
    assertThat(metric("rondo_consolidate_points_total")).isEqualTo(POINTS);
  }

  private boolean isLetter(String line) {
    return line.startsWith("20");
  }
}
