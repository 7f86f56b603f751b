package dev.rondo.topology.decode;

import dev.rondo.formats.DropReason;
import dev.rondo.schemas.Topics;
import dev.rondo.topology.drops.RecordId;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.streams.processor.api.Record;

/**
 * What of one record could not be stored for one reason: the bytes as they came, each once. Pieces
 * are one a line; once the whole record is told, the letter is the record, byte for byte, however
 * often it is told. It always fits its topic, whatever the record was like:
 *
 * <pre>
 *   value         up to 2 MiB     cut there; rondo.bytes tells how long it was
 *   key           up to 64 KiB    else left out; rondo.key.bytes tells how long it was
 *   its headers   up to 64 KiB    else left out, all; rondo.headers.bytes tells how long they were
 *   our headers   up to 2 KiB
 * </pre>
 */
final class DeadLetter {
  /** Half the topic's largest record. */
  static final int MAX_BYTES = Topics.MAX_RECORD_BYTES / 2;

  static final int MAX_KEY_BYTES = 64 * 1024;

  static final int MAX_HEADERS_BYTES = 64 * 1024;

  /** Of most letters, with their names. */
  private static final long OUR_HEADERS_BYTES = 256;

  /** A header holds the lengths of its name and value too. */
  private static final int BYTES_OF_LENGTHS = 2 * Integer.BYTES;

  private final DropReason reason;
  private final String firstDetail;
  private final ByteArrayOutputStream pieces = new ByteArrayOutputStream();
  private byte[] wholeRecord;
  private long piecesBytes;
  private long count;
  private int lastFrom = -1;
  private int lastTo = -1;

  DeadLetter(DropReason reason, String firstDetail) {
    this.reason = reason;
    this.firstDetail = firstDetail;
  }

  /** One more find in {@code record}, always the same one; its bytes are those from..to. */
  void add(byte[] record, int from, int to) {
    count++;
    if (from == 0 && to == record.length) {
      wholeRecord = record;
    } else if (wholeRecord == null && !(from == lastFrom && to == lastTo)) {
      addPiece(record, from, to);
    }
  }

  /** A piece may be told more than once, one time after the other: it is kept once. */
  private void addPiece(byte[] record, int from, int to) {
    if (lastFrom >= 0) {
      write(new byte[] {'\n'}, 0, 1);
    }
    write(record, from, to);
    lastFrom = from;
    lastTo = to;
  }

  private void write(byte[] source, int from, int to) {
    piecesBytes += to - from;
    pieces.write(source, from, Math.min(to - from, MAX_BYTES - pieces.size()));
  }

  DropReason reason() {
    return reason;
  }

  /** How many finds it tells of. */
  long count() {
    return count;
  }

  /** Of its value and of our headers, about. */
  long bytes() {
    int value = wholeRecord == null ? pieces.size() : Math.min(wholeRecord.length, MAX_BYTES);
    return value + OUR_HEADERS_BYTES;
  }

  /**
   * The record to send. Its headers are those of {@code source} and ours: where it was, when it was
   * written, why, how many, what had to be left out.
   */
  Record<byte[], byte[]> of(Record<byte[], byte[]> source, RecordId place) {
    long headersBytes = bytesOf(source.headers());
    boolean headersFit = headersBytes <= MAX_HEADERS_BYTES;
    boolean keyFits = source.key() == null || source.key().length <= MAX_KEY_BYTES;
    Headers headers = headersFit ? new RecordHeaders(source.headers()) : new RecordHeaders();
    put(headers, "rondo.topic", place.topic());
    put(headers, "rondo.partition", place.partition());
    put(headers, "rondo.offset", place.offset());
    put(headers, "rondo.timestamp", source.timestamp());
    put(headers, "rondo.reason", reason.key());
    put(headers, "rondo.detail", firstDetail);
    put(headers, "rondo.count", count);
    put(headers, "rondo.bytes", wholeRecord == null ? piecesBytes : wholeRecord.length);
    if (!keyFits) {
      put(headers, "rondo.key.bytes", source.key().length);
    }
    if (!headersFit) {
      put(headers, "rondo.headers.bytes", headersBytes);
    }
    return new Record<>(keyFits ? source.key() : null, value(), source.timestamp(), headers);
  }

  private byte[] value() {
    if (wholeRecord == null) {
      return pieces.toByteArray();
    }
    return wholeRecord.length <= MAX_BYTES ? wholeRecord : Arrays.copyOf(wholeRecord, MAX_BYTES);
  }

  private static long bytesOf(Headers headers) {
    long sum = 0;
    for (Header header : headers) {
      int valueBytes = header.value() == null ? 0 : header.value().length;
      sum += utf8(header.key()).length + valueBytes + BYTES_OF_LENGTHS;
    }
    return sum;
  }

  private static void put(Headers headers, String name, Object value) {
    headers.add(name, utf8(value.toString()));
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
