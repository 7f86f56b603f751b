package dev.rondo.client;

import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.AuthenticationException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends records to one topic under one key, and counts delivered and dropped points. The producer
 * bounds buffered bytes ({@code buffer.memory}) and their time ({@code delivery.timeout.ms}).
 */
final class RecordSender {
  private static final Logger LOG = LoggerFactory.getLogger(RecordSender.class);

  private final Supplier<Producer<byte[], byte[]>> connect;
  private final String topic;
  private final byte[] key;
  private final Deliveries deliveries;
  private Producer<byte[], byte[]> producer;
  private boolean isClosed;
  private volatile boolean isRefused;

  /**
   * @param connect makes a producer; called at once, and after each refusal
   */
  RecordSender(
      Supplier<Producer<byte[], byte[]>> connect, String topic, byte[] key, Deliveries deliveries) {
    this.connect = connect;
    this.topic = topic;
    this.key = key;
    this.deliveries = deliveries;
    this.producer = connect.get();
  }

  /** Replaces a producer that was refused: it would wait for its id for ever. */
  private synchronized Producer<byte[], byte[]> producer() {
    if (isRefused && !isClosed) {
      producer.close(Duration.ZERO);
      producer = connect.get();
      isRefused = false;
    }
    return producer;
  }

  private void noteRefusal(Throwable failure) {
    if (failure instanceof AuthenticationException) {
      isRefused = true;
    }
  }

  /** Fetches the metadata that the first send would wait for. */
  void prepare() {
    try {
      producer().partitionsFor(topic);
    } catch (KafkaException e) {
      noteRefusal(e);
      LOG.warn("topic {} is not available yet: {}", topic, e.getMessage());
    }
  }

  /**
   * Sends a record; returns within {@code max.block.ms}.
   *
   * @return false if Kafka did not accept it in time, and is unlikely to accept another one now
   */
  @SuppressWarnings("FutureReturnValueIgnored") // the callback handles every failure
  boolean send(Batch batch) {
    var delivery = new Delivery(batch.points());
    try {
      producer().send(new ProducerRecord<>(topic, key, batch.value()), delivery);
    } catch (RuntimeException | LinkageError e) { // such as a closed producer
      delivery.failed(e);
    }
    return !delivery.isFailed;
  }

  /**
   * Sends records at once; if Kafka does not accept one, the others are dropped without waiting.
   */
  void sendAll(List<Batch> batches) {
    boolean isAccepted = true;
    for (Batch batch : batches) {
      if (isAccepted) {
        isAccepted = send(batch);
      } else {
        drop(batch);
      }
    }
  }

  void drop(Batch batch) {
    deliveries.dropped(batch.points(), "topic " + topic + " did not accept an earlier record");
  }

  /** Waits up to the timeout until all records are delivered; drops the others. */
  void close(Duration timeout) {
    try {
      closing().close(timeout);
    } catch (KafkaException e) { // such as an interrupt
      LOG.warn("failed to close the producer", e);
    }
  }

  private synchronized Producer<byte[], byte[]> closing() {
    isClosed = true;
    return producer;
  }

  private final class Delivery implements Callback {
    private final int points;
    private volatile boolean isFailed;

    Delivery(int points) {
      this.points = points;
    }

    @Override
    public void onCompletion(RecordMetadata metadata, Exception failure) {
      if (failure == null) {
        deliveries.published(points);
      } else {
        failed(failure);
      }
    }

    void failed(Throwable failure) {
      isFailed = true;
      noteRefusal(failure);
      deliveries.dropped(points, failure.toString());
    }
  }
}
