package dev.rondo.proof;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.rondo.harness.parts.Instances;
import dev.rondo.harness.parts.Services;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** After a restart with a renamed policy a series has one history. Slots of an hour. */
@Tag("long")
@Timeout(900)
class RenamedPolicyIT {
  private static final String TOPIC = "renamed-policy";
  private static final long HOUR_MS = 3_600_000;
  private static final String SHOWN =
      """
      select string_agg(b.policy || ' ' || r::numeric(9, 1), ', ' order by t) from ds
      join tv on tv.ds_id = ds.id join rra_bundle b on b.id = rra_bundle_id
      where ident ->> 'name' = 'renamed.series' and r is not null
      """;

  /** Nine hours ago, aligned. */
  private final long beginMs = System.currentTimeMillis() / HOUR_MS * HOUR_MS - 9 * HOUR_MS;

  @TempDir Path dir;

  @Test
  void shouldShowOneHistoryAfterARestartWithARenamedPolicy() throws Exception {
    Services services = Services.shared();
    services.createTopic(TOPIC, Instances.PARTITIONS, Map.of());
    whileRunning(services, "former", new int[] {0, 60, 120, 150}, "former 60.0, former 120.0");
    whileRunning(
        services,
        "renamed",
        new int[] {180, 240, 300},
        "former 60.0, former 120.0, renamed 165.0, renamed 240.0, renamed 300.0");
    whileRunning(
        services,
        "former",
        new int[] {360, 420},
        "former 60.0, former 120.0, renamed 165.0, renamed 240.0, renamed 300.0, former 360.0, "
            + "former 420.0");
  }

  /**
   * Sends points while an instance runs that has one policy.
   *
   * @param minutes times of the points; each has its time as value
   * @param shown policy and value of each known slot, afterwards
   */
  private void whileRunning(Services services, String policy, int[] minutes, String shown)
      throws Exception {
    Path policies =
        Files.writeString(
            dir.resolve("policies.yaml"),
            "policies: [{name: %s, match: '.*', step: 1h, heartbeat: 1d, archives: ['1h:10d']}]"
                .formatted(policy));
    Path sources =
        Files.writeString(
            dir.resolve("sources.yaml"),
            "sources: [{topic: %s, format: graphite, keyed: true}]".formatted(TOPIC));
    Map<String, Object> config = Map.of("bootstrap.servers", services.bootstrap());
    try (var instances = new Instances(services, TOPIC, List.of(TOPIC), policies, 0);
        var producer =
            new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer())) {
      instances
          .with("sources.file", sources.toString())
          .with("policies.apply.at.start", "true")
          .with("refresh.ms", Long.toString(24 * HOUR_MS))
          .add()
          .awaitRunning();
      for (int minute : minutes) {
        long tS = beginMs / 1000 + minute * 60L;
        byte[] line =
            "renamed.series %d %d\n".formatted(minute, tS).getBytes(StandardCharsets.UTF_8);
        producer.send(new ProducerRecord<>(TOPIC, 0, null, line)).get();
      }
      await("slots under the policy " + policy)
          .untilAsserted(() -> assertThat(shown(services)).isEqualTo(shown));
    }
  }

  /** Policies and values of the known slots, from the view tv. */
  private static String shown(Services services) throws SQLException {
    try (var connection = DriverManager.getConnection(services.jdbcUrl());
        var statement = connection.createStatement();
        var result = statement.executeQuery(SHOWN)) {
      result.next();
      return result.getString(1);
    }
  }
}
