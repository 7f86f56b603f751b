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
import java.time.Duration;
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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Series are deleted while points flow and instances are killed. The times of all points are before
 * the deletions, so nothing of these series comes back; new series get their positions. The slots
 * of all others do not notice.
 */
@Timeout(3600)
class DeletionsIT {
  private static final String NAME = "deletions";
  private static final int AT_ONCE = 12;

  private final Settings settings = Settings.current();
  private final Random random = new Random(settings.seed());
  private final Set<String> deleted = new HashSet<>();

  @Test
  void shouldStoreEveryPointOfTheOthersExactlyOnce() throws Exception {
    PolicyRule rule = PolicyRule.withoutWrap(NAME);
    try (Proof proof =
        Proof.start(rule, settings, Map.of(), jdbcUrl -> StoredSlots.shown(jdbcUrl, NAME))) {
      List<Proof.Fault> round = new ArrayList<>(InstanceFault.KILLED.times(4, proof));
      round.addAll(InstanceFault.AWAY.times(1, proof));
      round.addAll(Collections.nCopies(5, new Proof.Fault("series deleted", () -> delete(proof))));
      round.addAll(
          Collections.nCopies(
              3,
              new Proof.Fault(
                  "series deleted, an instance killed",
                  () -> {
                    delete(proof);
                    InstanceFault.KILLED.inject(proof);
                  })));
      proof.inject(round);
      proof.shouldStoreEveryPointExactlyOnce(deleted);
    }
    assertThat(deleted).hasSize(8 * AT_ONCE * settings.rounds());
  }

  /** Deletes some of the series that are stored. */
  private void delete(Proof proof) throws Exception {
    String jdbcUrl = proof.services().jdbcUrl();
    await()
        .atMost(Duration.ofMinutes(1))
        .until(() -> deleted.size() + AT_ONCE <= stored(jdbcUrl).size());
    List<String> some = new ArrayList<>(stored(jdbcUrl));
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
      producer.send(new ProducerRecord<>(Topics.DELETIONS.name(), json)).get();
    }
  }

  private static Set<String> stored(String jdbcUrl) throws SQLException {
    Set<String> idents = new TreeSet<>();
    try (Connection connection = DriverManager.getConnection(jdbcUrl);
        ResultSet rows =
            connection
                .createStatement()
                .executeQuery(
                    "select concat_ws(';', ident ->> 'name', (select string_agg(key || '=' || value, ';' order by key)"
                        + " from jsonb_each_text(ident - 'name'))) from ds where policy = '"
                        + NAME
                        + "'")) {
      while (rows.next()) {
        idents.add(rows.getString(1));
      }
    }
    return idents;
  }
}
