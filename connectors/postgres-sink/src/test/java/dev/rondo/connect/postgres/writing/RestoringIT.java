package dev.rondo.connect.postgres.writing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rondo.connect.postgres.harness.Records;
import dev.rondo.connect.postgres.harness.TaskTest;
import dev.rondo.schemas.SeriesEntry;
import java.util.List;
import org.apache.kafka.connect.errors.RetriableException;
import org.apache.kafka.connect.sink.SinkRecord;
import org.junit.jupiter.api.Test;

/** The sink while pg_restore loads its database: it makes the triggers last, after all rows. */
class RestoringIT extends TaskTest {
  @Test
  void shouldWriteNothingBeforeTheTriggersAreThere() {
    task.put(List.of(series("x.old", 1, 5)));
    task.stop();
    List<String> triggers =
        database.query(
            "select tgname, pg_get_triggerdef(oid) from pg_trigger"
                + " where tgrelid = 'ds'::regclass and not tgisinternal");
    triggers.forEach(
        trigger -> database.execute("drop trigger %s on ds".formatted(trigger.split("\\|")[0])));

    start(); // as ./rondo up restarts a task that failed while there were no tables
    List<SinkRecord> next = List.of(series("x.new", 2, 6));
    assertThatThrownBy(() -> task.put(next)).isInstanceOf(RetriableException.class);
    triggers.forEach(trigger -> database.execute(trigger.split("\\|")[1]));
    task.put(next);

    assertThat(
            database.query(
                "select ident ->> 'name' from ds join location_period as p"
                    + " on p.ds_id = ds.id and p.number = ds.period order by 1"))
        .containsExactly("x.new", "x.old");
  }

  private static SinkRecord series(String name, int pos, long startsAtMs) {
    return Records.series(new SeriesEntry(name, "p", 65536, pos, startsAtMs, "", "", 0L));
  }
}
