package dev.rondo.topology.decode;

import dev.rondo.schemas.Topics;
import dev.rondo.topology.drops.DropReason;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.streams.processor.api.RecordMetadata;

/**
 * What of one record could not be stored for one reason: the bytes as they came, one piece a line.
 * Past {@link #MAX_BYTES} they are cut and the header {@code rondo.bytes} tells how many they were.
 */
final class DeadLetter {
  /** Leaves room for key and headers below the topic's largest record. */
  static final int MAX_BYTES = Topics.MAX_RECORD_BYTES / 2;

  private final DropReason reason;
  private final String firstDetail;
  private final ByteArrayOutputStream pieces = new ByteArrayOutputStream();
  private long bytes;
  private long count;

  DeadLetter(DropReason reason, String firstDetail) {
    this.reason = reason;
    this.firstDetail = firstDetail;
  }

  void add(byte[] record, int from, int to) {
    if (count > 0) {
      write(new byte[] {'\n'}, 0, 1);
    }
    write(record, from, to);
    count++;
  }

  private void write(byte[] source, int from, int to) {
    bytes += to - from;
    pieces.write(source, from, Math.min(to - from, MAX_BYTES - pieces.size()));
  }

  byte[] value() {
    return pieces.toByteArray();
  }

  /** The record's own headers, and ours: where it was, why, how many. */
  Headers headers(Headers own, RecordMetadata source) {
    Headers headers = new RecordHeaders(own);
    put(headers, "rondo.topic", source.topic());
    put(headers, "rondo.partition", source.partition());
    put(headers, "rondo.offset", source.offset());
    put(headers, "rondo.reason", reason.key());
    put(headers, "rondo.detail", firstDetail);
    put(headers, "rondo.count", count);
    put(headers, "rondo.bytes", bytes);
    return headers;
  }

  private static void put(Headers headers, String name, Object value) {
    headers.add(name, value.toString().getBytes(StandardCharsets.UTF_8));
  }
}
