package dev.rondo.proof;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.rondo.proof.model.PolicyRule;
import dev.rondo.proof.model.StoredSlots;
import dev.rondo.schemas.Topics;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Series are deleted while points flow and instances are killed. The times of all points are before
 * the deletions, so nothing of these series comes back; new series get their positions. The slots
 * of all others do not notice.
 */
@Tag("long")
@Timeout(3600)
class DeletionsIT {
  private static final int AT_ONCE = 12;

  private final Settings settings = Settings.current();
  private final Random random = new Random(settings.seed());
  private final Set<String> deleted = new HashSet<>();

  /** An instance is killed at three of eight deletions, and four times between them. */
  @Test
  void shouldStoreEveryPointOfTheOthersExactlyOnce() throws Exception {
    String name = "deletions";
    PolicyRule rule = PolicyRule.withoutWrap(name);
    try (Proof proof =
        Proof.start(rule, settings, Map.of(), jdbcUrl -> StoredSlots.shown(jdbcUrl, name))) {
      List<Proof.Fault> round = new ArrayList<>(InstanceFault.KILLED.times(4, proof));
      round.addAll(InstanceFault.AWAY.times(1, proof));
      round.addAll(
          Collections.nCopies(5, new Proof.Fault("series deleted", () -> delete(proof, name))));
      round.addAll(
          Collections.nCopies(
              3,
              new Proof.Fault(
                  "series deleted, an instance killed",
                  () -> {
                    delete(proof, name);
                    InstanceFault.KILLED.inject(proof);
                  })));
      proof.inject(round);
      proof.shouldStoreEveryPointExactlyOnce(deleted);
    }
    assertThat(deleted).hasSize(8 * AT_ONCE * settings.rounds());
  }

  /** Deletes some of the series that are stored. */
  private void delete(Proof proof, String policy) throws Exception {
    String jdbcUrl = proof.services().jdbcUrl();
    await("enough series that are not deleted yet")
        .untilAsserted(
            () ->
                assertThat(stored(jdbcUrl, policy))
                    .hasSizeGreaterThanOrEqualTo(deleted.size() + AT_ONCE));
    List<String> some = new ArrayList<>(stored(jdbcUrl, policy));
    some.removeAll(deleted);
    Collections.shuffle(some, random);
    some = some.subList(0, AT_ONCE);
    deleted.addAll(some);
    String json = some.stream().collect(Collectors.joining("\", \"", "{\"series\": [\"", "\"]}"));
    try (Producer<String, String> producer =
        new KafkaProducer<>(
            Map.of("bootstrap.servers", proof.services().bootstrap()),
            new StringSerializer(),
            new StringSerializer())) {
      producer.send(new ProducerRecord<>(Topics.SERIES_REQUESTS.name(), json)).get();
    }
  }

  private static Set<String> stored(String jdbcUrl, String policy) throws SQLException {
    Set<String> idents = new TreeSet<>();
    try (Connection connection = DriverManager.getConnection(jdbcUrl);
        ResultSet rows =
            connection
                .createStatement()
                .executeQuery(
                    "select concat_ws(';', ident ->> 'name', (select string_agg(key || '=' || value, ';' order by key)"
                        + " from jsonb_each_text(ident - 'name'))) from ds where policy = '"
                        + policy
                        + "'")) {
      while (rows.next()) {
        idents.add(rows.getString(1));
      }
    }
    return idents;
  }
}
