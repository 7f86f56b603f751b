package dev.rondo.proof;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.rondo.embedded.JavaCommand;
import dev.rondo.harness.parts.Services;
import dev.rondo.schemas.BundleRow;
import dev.rondo.schemas.BundleRowKey;
import dev.rondo.schemas.SegmentNumber;
import dev.rondo.schemas.SeriesEntry;
import dev.rondo.schemas.Topic;
import dev.rondo.schemas.Topics;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Records that PostgreSQL rejects are listed with the reason, and stored after a resend. */
@Timeout(900)
class SinkDeadLettersIT {
  private static final int PARTITION = 1;
  private static final int SEGMENT = SegmentNumber.of(PARTITION, 0);
  private static final double UNKNOWN = Double.NaN;

  private static final String SHOWN =
      """
      select string_agg(ident ->> 'name' || '=' || r, ' ' order by ident ->> 'name') from ds
      join (select distinct * from tv) tv on tv.ds_id = ds.id
      where policy = 'letters' and r is not null
      """;

  private Services services;

  @Test
  void shouldStoreRejectedRecordsAfterTheRepairAndAResend() throws Exception {
    services = Services.shared();
    execute("alter table ts add constraint refuse_slot check (t <> to_timestamp(1000000000))");
    execute("alter table ds add constraint refuse_name check (ident ->> 'name' !~ '^letter')");
    series("a", 1);
    series("b", 2);
    series("letter", 3);
    series("letter.moved", 4);
    row(1, UNKNOWN, UNKNOWN, UNKNOWN); // an earlier value of the same slot
    row(2, 5, UNKNOWN, UNKNOWN);
    List<String> found =
        await("four dead letters")
            .pollInterval(Duration.ofSeconds(5)) // each look starts a JVM
            .until(
                this::run,
                lines -> lines.stream().filter(SinkDeadLettersIT::isLetter).count() == 4);
    assertThat(found)
        .anyMatch(line -> line.contains("sink-refused  rondo.series-1 offset "))
        .anyMatch(line -> line.contains("sink-refused  rondo.bundle-rows-1 offset "))
        .anyMatch(
            line -> line.contains("table ds, SQLSTATE 23514: ") && line.contains("refuse_name"))
        .anyMatch(line -> line.contains("table ts, SQLSTATE 23514: "));

    execute("alter table ts drop constraint refuse_slot");
    execute("alter table ds drop constraint refuse_name");
    series("letter.moved", 5); // newer than its dead letter
    row(UNKNOWN, 7, 3, 9, 11);
    await("stored records").untilAsserted(() -> shouldShow("b=7 letter.moved=11"));

    assertThat(run("resend", "--reason", "sink-refused"))
        .anyMatch(line -> line.startsWith("Not sent: 1, of a series with a newer entry"))
        .endsWith("Sent: 3 dead letters.");
    await("resent records").untilAsserted(() -> shouldShow("a=2 b=7 letter=3 letter.moved=11"));
    assertThat(run("resend")).endsWith("Sent: 0 dead letters.");
  }

  private static boolean isLetter(String line) {
    return line.contains("  sink-refused  ");
  }

  private void shouldShow(String values) throws SQLException {
    try (var connection = DriverManager.getConnection(services.jdbcUrl());
        var statement = connection.createStatement();
        ResultSet result = statement.executeQuery(SHOWN)) {
      result.next();
      assertThat(result.getString(1)).isEqualTo(values);
    }
  }

  private void execute(String sql) throws SQLException {
    try (var connection = DriverManager.getConnection(services.jdbcUrl());
        var statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private void series(String ident, int pos) throws Exception {
    produce(Topics.SERIES, ident, new SeriesEntry(ident, "letters", SEGMENT, pos, 5L, "", "", 0L));
  }

  private void row(double... dp) throws Exception {
    produce(
        Topics.BUNDLE_ROWS,
        new BundleRowKey("letters", "wmean", 10_000L, 10, SEGMENT, 0),
        new BundleRow(
            "letters",
            "wmean",
            10_000L,
            10,
            8,
            0.5,
            false,
            "wmean",
            SEGMENT,
            0,
            1_000_000_000_000L,
            Arrays.stream(dp).boxed().toList()));
  }

  private <K, V> void produce(Topic<K, V> topic, K key, V value)
      throws ExecutionException, InterruptedException {
    Map<String, Object> config = Map.of("bootstrap.servers", services.bootstrap());
    try (var producer =
        new KafkaProducer<>(
            config, topic.keySerde().serializer(), topic.valueSerde().serializer())) {
      producer.send(new ProducerRecord<>(topic.name(), PARTITION, key, value)).get();
    }
  }

  /** Output of {@code ./rondo dead-letters}. */
  private List<String> run(String... arguments) throws IOException, InterruptedException {
    Path settings = services.dir().resolve("letters.properties");
    Files.writeString(
        settings,
        "bootstrap.servers=%s%nstate.dir=%s%n"
            .formatted(services.bootstrap(), services.dir().resolve("letters-state")));
    Path jars = services.root().resolve("topology/history/target");
    List<String> command =
        new ArrayList<>(
            JavaCommand.of(
                jars.resolve("*") + File.pathSeparator + jars.resolve("lib").resolve("*"),
                List.of("-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"),
                "dev.rondo.history.Main",
                "dead-letters"));
    command.addAll(List.of(arguments));
    command.addAll(List.of("--config", settings.toString()));
    Path out = services.dir().resolve("letters.out");
    int code =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(out.toFile())
            .start()
            .waitFor();
    assertThat(code).as(Files.readString(out)).isZero();
    return Files.readAllLines(out);
  }
}
