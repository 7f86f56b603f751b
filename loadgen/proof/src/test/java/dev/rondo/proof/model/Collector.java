package dev.rondo.proof.model;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;

/**
 * Sends the points of one host's series as Graphite lines, in time order. Not thread-safe.
 *
 * @param host key of the records if they are keyed by host
 */
public record Collector(
    String topic,
    String host,
    Sending sending,
    List<Series> series,
    Producer<byte[], byte[]> producer,
    List<Future<RecordMetadata>> inFlight) {

  /** How collectors publish. */
  public enum Sending {
    /** All due points in one record without a key; the next record after its acknowledgement. */
    BATCH_WITHOUT_KEY,
    /**
     * One record per point, without a key; the next point of a series after the acknowledgement of
     * the previous one.
     */
    POINT_WITHOUT_KEY,
    /** Records of several points, keyed by host, without waiting for acknowledgements. */
    BATCH_BY_HOST,
    /** One record per point, keyed by host, without waiting for acknowledgements. */
    POINT_BY_HOST
  }

  private record Due(String ident, TimedValue point) {
    String line() {
      return "%s %s %d.%03d%n"
          .formatted(ident, point.value(), point.tMs() / 1000, point.tMs() % 1000);
    }
  }

  /** Sends all due points. */
  public void send(long nowMs) throws ExecutionException, InterruptedException {
    List<Due> due = new ArrayList<>();
    for (Series one : series) {
      addNew(one, one.grow(nowMs), due);
    }
    send(due);
  }

  /** Sends all points due before {@code endMs}, and a last point at that time. */
  public void end(long endMs) throws ExecutionException, InterruptedException {
    send(endMs - 1);
    List<Due> due = new ArrayList<>();
    for (Series one : series) {
      addNew(one, one.end(endMs), due);
    }
    send(due);
    awaitAcknowledged();
  }

  private static void addNew(Series one, int count, List<Due> due) {
    List<TimedValue> points = one.points();
    points
        .subList(points.size() - count, points.size())
        .forEach(point -> due.add(new Due(one.ident(), point)));
  }

  private void send(List<Due> due) throws ExecutionException, InterruptedException {
    due.sort(Comparator.comparingLong(item -> item.point().tMs()));
    switch (sending) {
      case BATCH_WITHOUT_KEY -> {
        publish(due);
        awaitAcknowledged();
      }
      case POINT_WITHOUT_KEY -> {
        List<String> sent = new ArrayList<>();
        for (Due item : due) {
          if (sent.contains(item.ident())) {
            awaitAcknowledged();
            sent.clear();
          }
          publish(List.of(item));
          sent.add(item.ident());
        }
        awaitAcknowledged();
      }
      case BATCH_BY_HOST -> {
        for (int from = 0; from < due.size(); from += 20) {
          publish(due.subList(from, Math.min(from + 20, due.size())));
        }
      }
      case POINT_BY_HOST -> due.forEach(item -> publish(List.of(item)));
    }
    inFlight.removeIf(Collector::isAcknowledged);
  }

  private void publish(List<Due> due) {
    if (due.isEmpty()) {
      return;
    }
    StringBuilder text = new StringBuilder();
    due.forEach(item -> text.append(item.line()));
    boolean keyed = sending == Sending.BATCH_BY_HOST || sending == Sending.POINT_BY_HOST;
    inFlight.add(
        producer.send(
            new ProducerRecord<>(
                topic,
                keyed ? host.getBytes(StandardCharsets.UTF_8) : null,
                text.toString().getBytes(StandardCharsets.UTF_8))));
  }

  private void awaitAcknowledged() throws ExecutionException, InterruptedException {
    for (Future<RecordMetadata> sent : inFlight) {
      sent.get();
    }
    inFlight.clear();
  }

  private static boolean isAcknowledged(Future<RecordMetadata> sent) {
    if (!sent.isDone()) {
      return false;
    }
    try {
      sent.get();
      return true;
    } catch (ExecutionException | InterruptedException e) {
      throw new IllegalStateException("a point was not acknowledged", e);
    }
  }
}
