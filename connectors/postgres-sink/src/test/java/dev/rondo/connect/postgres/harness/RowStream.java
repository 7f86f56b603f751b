package dev.rondo.connect.postgres.harness;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.rondo.schemas.BundleRow;
import dev.rondo.schemas.SeriesEntry;
import dev.rondo.schemas.Topics;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Rows and series that are told to Kafka without end, by a seed, and with them what a real stream
 * has: rows in parts, rows told twice, late ones, archives that go round, series that retire and
 * whose place is given on, and poisoned records.
 */
public final class RowStream implements AutoCloseable {
  static final String POISON_HEADER = "poison";

  private static final String POLICY = "outage";
  private static final int WIDTH = 12;
  private static final int SEGMENTS = 4;
  private static final long STEP_MS = 10_000;

  /** End of a slot that the rig lets no table hold. */
  static final long POISON_MS = 7_258_118_400_000L; // 2200

  private static final int SHORT_SIZE = 30; // goes round every 30 slots
  private static final int LONG_SIZE = 1_000_000;
  private static final int BACK = 500; // rows, older than a round of the short archive
  private static final long PAUSE_MS = 40;

  private final String rowTopic;
  private final String seriesTopic;
  private final KafkaProducer<byte[], byte[]> producer;
  private final ToldTables told = new ToldTables();
  private final Set<String> poisons = new HashSet<>();
  private final Random random;
  private final Thread thread = new Thread(this::run, "row-stream");
  private final Deque<BundleRow> before = new ArrayDeque<>();
  private volatile boolean ending;
  private boolean paused;
  private long endMs = 1_800_000_000_000L;
  private int series;

  RowStream(String bootstrap, String rowTopic, String seriesTopic, long seed) {
    this.rowTopic = rowTopic;
    this.seriesTopic = seriesTopic;
    this.random = new Random(seed);
    this.producer =
        new KafkaProducer<>(
            Map.of("bootstrap.servers", bootstrap, "linger.ms", 5),
            new ByteArraySerializer(),
            new ByteArraySerializer());
    thread.setDaemon(true);
    thread.start();
  }

  /** Everything that has been told, and nothing more until {@link #goOn}. */
  public synchronized ToldTables pause() {
    paused = true;
    producer.flush();
    return told;
  }

  synchronized void goOn() {
    paused = false;
  }

  /** What the header of each poisoned record says, so far. */
  synchronized Set<String> poisons() {
    return Set.copyOf(poisons);
  }

  /** Tells one row more, known to {@link ToldTables}. */
  public synchronized void tell(BundleRow row) {
    told.told(row);
    send(row, null);
  }

  /** A row of the stream's own bundle: {@code i} is beyond all that it tells by itself. */
  public static BundleRow row(int i, double... dp) {
    var values = new ArrayList<Double>();
    for (double value : dp) {
      values.add(value);
    }
    return new BundleRow(
        POLICY, "max", STEP_MS, LONG_SIZE, WIDTH, 0.5, false, 0, i, i * STEP_MS, values);
  }

  /** Returns when all that was told is in Kafka. */
  void flush() {
    producer.flush();
  }

  @Override
  public void close() {
    ending = true;
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    producer.close();
  }

  private void run() {
    try {
      while (!ending) {
        tellMore();
        Thread.sleep(PAUSE_MS); // the pace of the stream
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private synchronized void tellMore() {
    if (paused) {
      return;
    }
    endMs += STEP_MS;
    for (int seg = 0; seg < SEGMENTS; seg++) {
      for (int size : new int[] {SHORT_SIZE, LONG_SIZE}) {
        BundleRow row = slot(seg, size);
        tell(row);
        before.add(row);
      }
    }
    while (before.size() > BACK) {
      before.removeFirst();
    }
    if (random.nextInt(4) == 0) { // late, or once more
      tell(before.removeFirst());
    }
    if (random.nextInt(3) == 0) {
      tellSeries();
    }
    if (random.nextInt(40) == 0) {
      poison();
    }
  }

  private BundleRow slot(int seg, int size) {
    var dp = new ArrayList<Double>();
    int length = 1 + random.nextInt(WIDTH);
    for (int p = 0; p < length; p++) {
      dp.add(random.nextInt(4) == 0 ? Double.NaN : random.nextGaussian());
    }
    long end = endMs - (random.nextInt(3) == 0 ? STEP_MS : 0); // another part of the one before
    int i = (int) Math.floorMod(end / STEP_MS, (long) size);
    var row = new BundleRow(POLICY, "wmean", STEP_MS, size, WIDTH, 0.5, false, seg, i, end, dp);
    return row;
  }

  /**
   * Each place has three owners, one after the other. That the former one is retired may be known
   * before or after the next one, which lies in another partition, is.
   */
  private void tellSeries() {
    int owner = series % 3;
    int place = series / 3;
    series++;
    var entry =
        new SeriesEntry(
            "outage.%d.%d".formatted(place, owner),
            POLICY,
            place / WIDTH,
            1 + place % WIDTH,
            endMs + owner);
    String former = "outage.%d.%d".formatted(place, owner - 1);
    boolean retiredFirst = random.nextBoolean();
    if (owner > 0 && retiredFirst) {
      retire(former);
    }
    told.told(entry);
    send(entry.getIdent(), entry);
    if (owner > 0 && !retiredFirst) {
      retire(former);
    }
    if (owner == 2 && random.nextBoolean()) {
      retire(entry.getIdent());
    }
  }

  private void retire(String ident) {
    told.toldRetired(ident);
    send(ident, null);
  }

  private void poison() {
    String name = "poison " + poisons.size();
    poisons.add(name);
    int i = (int) (POISON_MS / STEP_MS % LONG_SIZE);
    send(BundleRow.newBuilder(slot(0, LONG_SIZE)).setI(i).setT(POISON_MS).build(), name);
  }

  private void send(BundleRow row, String poison) {
    byte[] key = Topics.BUNDLE_ROWS.keySerde().serializer().serialize(rowTopic, Records.key(row));
    byte[] value = Topics.BUNDLE_ROWS.valueSerde().serializer().serialize(rowTopic, row);
    var record = new ProducerRecord<>(rowTopic, key, value);
    if (poison != null) {
      record.headers().add(POISON_HEADER, poison.getBytes(UTF_8));
    }
    var unused = producer.send(record); // what is missing shows as a difference
  }

  private void send(String ident, SeriesEntry entry) {
    byte[] value =
        entry == null
            ? null
            : Topics.SERIES.valueSerde().serializer().serialize(seriesTopic, entry);
    var unused = producer.send(new ProducerRecord<>(seriesTopic, ident.getBytes(UTF_8), value));
  }
}
