package dev.rondo.loadgen.send;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;

/**
 * Sends the values of records over one TCP connection, as to carbon. A record counts as
 * acknowledged once the connection has taken it: the protocol has no answers.
 */
public final class TcpOutput implements Output {
  private static final int BUFFER_BYTES = 128 * 1024;
  private static final int RECORDS_A_LOOK = 32;

  /** As long as Kafka's producer lingers. */
  private static final long LINGER_NANOS = Duration.ofMillis(100).toNanos();

  private final Socket socket;
  private final OutputStream stream;
  private final List<Callback> unsent = new ArrayList<>();
  private long flushedNanos = System.nanoTime();
  private IOException failure;

  /** Connects. */
  public TcpOutput(String host, int port) throws IOException {
    this.socket = new Socket(host, port);
    this.stream = new BufferedOutputStream(socket.getOutputStream(), BUFFER_BYTES);
  }

  @Override
  public void send(ProducerRecord<byte[], byte[]> record, Callback callback) {
    if (failure != null) {
      throw new KafkaException(failure);
    }
    unsent.add(callback);
    try {
      stream.write(record.value());
    } catch (IOException e) {
      complete(e);
    }
    if (unsent.size() % RECORDS_A_LOOK == 0 && System.nanoTime() - flushedNanos > LINGER_NANOS) {
      flush();
    }
  }

  @Override
  public void flush() {
    try {
      stream.flush();
      complete(null);
    } catch (IOException e) {
      complete(e);
    }
    flushedNanos = System.nanoTime();
  }

  private void complete(IOException result) {
    failure = result;
    unsent.forEach(callback -> callback.onCompletion(null, result));
    unsent.clear();
  }

  @Override
  public void close() {
    try {
      socket.close();
    } catch (IOException e) {
      // all acknowledged records have been sent before
    }
  }
}
