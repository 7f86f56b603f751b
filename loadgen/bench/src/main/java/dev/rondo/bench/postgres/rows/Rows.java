package dev.rondo.bench.postgres.rows;

import dev.rondo.connect.postgres.RondoConverter;
import dev.rondo.schemas.BundleRow;
import dev.rondo.schemas.BundleRowKey;
import dev.rondo.schemas.Topics;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.connect.data.SchemaAndValue;
import org.apache.kafka.connect.sink.SinkRecord;

/**
 * The rows of an archive, as a Connect worker passes them to a task: decoded from bytes by the
 * converter. Each segment is a partition.
 */
public final class Rows {
  /** Partitions of the topic of rows, as Rondo creates it. */
  static final int PARTITIONS = 16;

  private static final AtomicLong OFFSET = new AtomicLong();

  private static final RondoConverter CONVERTER = new RondoConverter();
  private static final String CF = "wmean";
  private static final double XFF = 0.5;

  private final Archive archive;

  public Rows(Archive archive) {
    this.archive = archive;
  }

  /** One slot of the segments {@code from}, inclusive, to {@code to}, exclusive. */
  public List<SinkRecord> slot(int round, int i, int from, int to, Part part) {
    var records = new ArrayList<SinkRecord>(to - from);
    for (int seg = from; seg < to; seg++) {
      records.add(row(round, i, seg, part));
    }
    return records;
  }

  /** The row of one segment and slot; its values depend only on these and the round. */
  public SinkRecord row(int round, int i, int seg, Part part) {
    return row(round, i, seg, part, round);
  }

  /**
   * A row with the values of a version.
   *
   * @param version selects the values
   */
  public SinkRecord row(int round, int i, int seg, Part part, int version) {
    String topic = Topics.BUNDLE_ROWS.name();
    var key = new BundleRowKey(archive.policy(), CF, archive.stepMs(), archive.size(), seg, i);
    var row =
        new BundleRow(
            archive.policy(),
            CF,
            archive.stepMs(),
            archive.size(),
            archive.width(),
            XFF,
            false,
            "wmean",
            seg,
            i,
            archive.endMs(round, i),
            dp(version, i, seg, part));
    SchemaAndValue keyData = data(topic, Topics.BUNDLE_ROWS.keySerde(), key);
    SchemaAndValue rowData = data(topic, Topics.BUNDLE_ROWS.valueSerde(), row);
    return new SinkRecord(
        topic,
        seg % PARTITIONS,
        keyData.schema(),
        keyData.value(),
        rowData.schema(),
        rowData.value(),
        OFFSET.getAndIncrement());
  }

  private static <T> SchemaAndValue data(String topic, Serde<T> serde, T message) {
    return CONVERTER.toConnectData(topic, serde.serializer().serialize(topic, message));
  }

  private List<Double> dp(int version, int i, int seg, Part part) {
    var random = new SplittableRandom(((long) version << 48) ^ ((long) seg << 20) ^ i);
    var dp = new ArrayList<Double>(archive.width());
    for (int pos = 1; pos <= archive.width(); pos++) {
      double value = random.nextDouble();
      dp.add(part.has(pos) ? value : Double.NaN);
    }
    return dp;
  }
}
