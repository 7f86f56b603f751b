package dev.rondo.connect.postgres.harness;

import dev.rondo.connect.postgres.RondoConverter;
import dev.rondo.connect.postgres.changes.RowChange;
import dev.rondo.rows.BundleProperties;
import dev.rondo.rows.Row;
import dev.rondo.rows.WriteMode;
import dev.rondo.schemas.BundleRow;
import dev.rondo.schemas.BundleRowKey;
import dev.rondo.schemas.Event;
import dev.rondo.schemas.SeriesEntry;
import dev.rondo.schemas.Topics;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.SchemaAndValue;
import org.apache.kafka.connect.sink.SinkRecord;

/** Records as a worker with {@link RondoConverter} delivers them. */
public final class Records {
  private static final RondoConverter CONVERTER = new RondoConverter();
  private static final AtomicLong OFFSET = new AtomicLong();

  private Records() {}

  public static SinkRecord row(BundleRow row) {
    String topic = Topics.BUNDLE_ROWS.name();
    byte[] key = Topics.BUNDLE_ROWS.keySerde().serializer().serialize(topic, key(row));
    byte[] value = Topics.BUNDLE_ROWS.valueSerde().serializer().serialize(topic, row);
    return of(topic, CONVERTER.toConnectData(topic, key), CONVERTER.toConnectData(topic, value));
  }

  /**
   * A row of the first segment of partition 1, of an archive of 1000 slots of 10 s, with one value.
   */
  public static BundleRow message(String policy, long endMs, double value) {
    int i = (int) (endMs / 10_000);
    return new BundleRow(
        policy, "wmean", 10_000L, 1000, 200, 0.5, false, "wmean", 65536, i, endMs, List.of(value));
  }

  /** Changes that write rows of bundles with the same properties. */
  public static List<RowChange> changes(List<Row> rows) {
    return rows.stream().map(Records::change).toList();
  }

  /** A change that writes a row. */
  public static RowChange change(Row row) {
    return new RowChange(row, new BundleProperties(0.5, false, "wmean"), WriteMode.OVERWRITE);
  }

  public static BundleRowKey key(BundleRow row) {
    return new BundleRowKey(
        row.getPolicy(), row.getCf(), row.getStepMs(), row.getSize(), row.getSeg(), row.getI());
  }

  public static SinkRecord series(SeriesEntry entry) {
    String topic = Topics.SERIES.name();
    byte[] value = Topics.SERIES.valueSerde().serializer().serialize(topic, entry);
    return of(topic, text(entry.getIdent()), CONVERTER.toConnectData(topic, value));
  }

  public static SinkRecord event(Event event) {
    String topic = Topics.EVENTS.name();
    byte[] value = Topics.EVENTS.valueSerde().serializer().serialize(topic, event);
    return of(topic, text(event.getOrigin()), CONVERTER.toConnectData(topic, value));
  }

  public static SinkRecord retirement(String ident) {
    return of(Topics.SERIES.name(), text(ident), SchemaAndValue.NULL);
  }

  public static SinkRecord of(String topic, SchemaAndValue key, SchemaAndValue value) {
    return new SinkRecord(
        topic,
        0,
        key.schema(),
        key.value(),
        value.schema(),
        value.value(),
        OFFSET.getAndIncrement());
  }

  private static SchemaAndValue text(String text) {
    return new SchemaAndValue(Schema.STRING_SCHEMA, text);
  }
}
