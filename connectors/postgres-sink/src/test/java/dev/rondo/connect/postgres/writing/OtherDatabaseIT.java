package dev.rondo.connect.postgres.writing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rondo.connect.postgres.harness.Records;
import dev.rondo.connect.postgres.harness.TaskTest;
import java.util.List;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.connect.errors.RetriableException;
import org.apache.kafka.connect.sink.SinkRecord;
import org.junit.jupiter.api.Test;

/** The connection that follows a lost one leads to a database that gave the same ids to others. */
class OtherDatabaseIT extends TaskTest {
  @Test
  void shouldNotWriteUnderTheBundlesOfThePreviousOne() {
    task.put(List.of(row("one", 10_000)));
    SinkRecord next = row("one", 20_000);
    // A rebalance: the next put reads offsets, and so it is this reading that finds no connection.
    task.open(List.of(new TopicPartition(next.topic(), next.kafkaPartition())));
    database.execute(
        """
        truncate ts, rra_bundle restart identity cascade;
        insert into rra_bundle (policy, cf, step_ms, size, width, xff) values ('other', 'wmean', 10000, 1000, 200, 0.5);
        select pg_terminate_backend(pid, 10000) from pg_stat_activity
        where application_name = 'rondo-postgres-sink' and datname = current_database()
        """);
    assertThatThrownBy(() -> task.put(List.of(next))).isInstanceOf(RetriableException.class);
    task.put(List.of(next));
    assertThat(
            database.query(
                "select policy, extract(epoch from t)::integer from ts"
                    + " join rra_bundle on rra_bundle.id = rra_bundle_id where t > '-infinity'"))
        .containsExactly("one|20");
  }

  private static SinkRecord row(String policy, long endMs) {
    return Records.row(Records.message(policy, endMs, 1));
  }
}
