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
 * Sends rows and series to Kafka until it is closed, from a seed, with everything that a real
 * stream has: rows in parts, repeated and late rows, archives that wrap around, series that retire
 * and pass on their location, and poisoned records.
 */
public final class RowStream implements AutoCloseable {
  static final String POISON_HEADER = "poison";

  private static final String POLICY = "outage";
  private static final int WIDTH = 12;
  private static final int SEGMENTS = 4;
  private static final long STEP_MS = 10_000;

  /** End of a slot that a constraint of the rig refuses. */
  static final long POISON_MS = 7_258_118_400_000L; // 2200

  private static final int SHORT_SIZE = 30; // wraps around every 30 slots
  private static final int LONG_SIZE = 1_000_000;
  private static final int BACK = 500; // rows, older than a round of the short archive
  private static final long PAUSE_MS = 40;

  private final String rowTopic;
  private final String seriesTopic;
  private final KafkaProducer<byte[], byte[]> producer;
  private final ExpectedTables expected = new ExpectedTables();
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

  /** Stops sending until {@link #goOn}; returns what the tables must hold by then. */
  public synchronized ExpectedTables pause() {
    paused = true;
    producer.flush();
    return expected;
  }

  synchronized void goOn() {
    paused = false;
  }

  /** Header values of the poisoned records so far. */
  synchronized Set<String> poisons() {
    return Set.copyOf(poisons);
  }

  /** Sends one more row. */
  public synchronized void emit(BundleRow row) {
    expected.expect(row);
    send(row, null);
  }

  /** A row of a bundle that the stream itself does not write. */
  public static BundleRow row(int i, double... dp) {
    var values = new ArrayList<Double>();
    for (double value : dp) {
      values.add(value);
    }
    return new BundleRow(
        POLICY, "max", STEP_MS, LONG_SIZE, WIDTH, 0.5, false, "wmean", 0, i, i * STEP_MS, values);
  }

  /** Returns when everything sent is in Kafka. */
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
        emitMore();
        Thread.sleep(PAUSE_MS); // the pace of the stream
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private synchronized void emitMore() {
    if (paused) {
      return;
    }
    endMs += STEP_MS;
    for (int seg = 0; seg < SEGMENTS; seg++) {
      for (int size : new int[] {SHORT_SIZE, LONG_SIZE}) {
        BundleRow row = slot(seg, size);
        emit(row);
        before.add(row);
      }
    }
    while (before.size() > BACK) {
      before.removeFirst();
    }
    if (random.nextInt(4) == 0) { // late or repeated
      emit(before.removeFirst());
    }
    if (random.nextInt(3) == 0) {
      emitSeries();
    }
    if (poisons.isEmpty() || random.nextInt(40) == 0) {
      poison();
    }
  }

  private BundleRow slot(int seg, int size) {
    var dp = new ArrayList<Double>();
    int length = 1 + random.nextInt(WIDTH);
    for (int p = 0; p < length; p++) {
      dp.add(random.nextInt(4) == 0 ? Double.NaN : random.nextGaussian());
    }
    long end = endMs - (random.nextInt(3) == 0 ? STEP_MS : 0); // another part of the previous slot
    int i = (int) Math.floorMod(end / STEP_MS, (long) size);
    var row =
        new BundleRow(POLICY, "wmean", STEP_MS, size, WIDTH, 0.5, false, "wmean", seg, i, end, dp);
    return row;
  }

  /**
   * Each location has three owners in turn. The retirement of one may be read before or after the
   * entry of the next, which is in another partition.
   */
  private void emitSeries() {
    int owner = series % 3;
    int location = series / 3;
    series++;
    var entry =
        new SeriesEntry(
            "outage.%d.%d".formatted(location, owner),
            POLICY,
            location / WIDTH,
            1 + location % WIDTH,
            endMs + owner,
            "",
            "",
            0L);
    String previous = "outage.%d.%d".formatted(location, owner - 1);
    boolean retiredFirst = random.nextBoolean();
    if (owner > 0 && retiredFirst) {
      retire(previous);
    }
    expected.expect(entry);
    send(entry.getIdent(), entry);
    if (owner > 0 && !retiredFirst) {
      retire(previous);
    }
    if (owner == 2 && random.nextBoolean()) {
      retire(entry.getIdent());
    }
  }

  private void retire(String ident) {
    expected.expectRetired(ident);
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
    var unused = producer.send(record); // a missing record shows as a difference
  }

  private void send(String ident, SeriesEntry entry) {
    byte[] value =
        entry == null
            ? null
            : Topics.SERIES.valueSerde().serializer().serialize(seriesTopic, entry);
    var unused = producer.send(new ProducerRecord<>(seriesTopic, ident.getBytes(UTF_8), value));
  }
}
