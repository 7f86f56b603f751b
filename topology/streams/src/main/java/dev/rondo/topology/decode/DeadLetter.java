package dev.rondo.topology.decode;

import dev.rondo.formats.DropReason;
import dev.rondo.schemas.Topics;
import dev.rondo.schemas.deadletters.DeadLetterHeader;
import dev.rondo.topology.drops.RecordId;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.BitSet;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.streams.processor.api.Record;

/**
 * The bytes of one record that were rejected for one reason. Each piece is kept once, one per line;
 * if the whole record is rejected, the dead letter is the record, byte for byte. A dead letter
 * always fits its topic:
 *
 * <pre>
 *   value             up to 2 MiB     truncated; rondo.bytes holds its full length
 *   key               up to 64 KiB    else omitted; rondo.key.bytes holds its length
 *   source headers    up to 64 KiB    else all omitted; rondo.headers.bytes holds their length
 *   rondo.skip        up to 512 KiB  a bit for each point and drop (record.max.points)
 *   rondo.* headers   up to 2 KiB
 * </pre>
 */
final class DeadLetter {
  /** Half the maximum record size of the topic. */
  static final int MAX_BYTES = Topics.MAX_RECORD_BYTES / 2;

  static final int MAX_KEY_BYTES = 64 * 1024;

  static final int MAX_HEADERS_BYTES = 64 * 1024;

  /** Size of the {@code rondo.*} headers of most dead letters, with their names. */
  private static final long RONDO_HEADERS_BYTES = 256;

  /** A header also holds the lengths of its name and value. */
  private static final int BYTES_OF_LENGTHS = 2 * Integer.BYTES;

  private final DropReason reason;
  private final String firstDetail;
  private final ByteArrayOutputStream pieces = new ByteArrayOutputStream();

  /** Rejected numbers of {@link RecordPieces}. */
  private final BitSet rejected = new BitSet();

  /** First numbers of the kept pieces. */
  private final BitSet begins = new BitSet();

  private byte[] wholeRecord;
  private long piecesBytes;
  private long count;
  private int lastFrom = -1;
  private int lastTo = -1;

  DeadLetter(DropReason reason, String firstDetail) {
    this.reason = reason;
    this.firstDetail = firstDetail;
  }

  /**
   * Adds a rejected piece: the bytes from..to of {@code record}. All calls pass the same record.
   *
   * @param all pieces of the record up to this one
   */
  void add(byte[] record, int from, int to, RecordPieces all) {
    count++;
    rejected.set(all.last());
    if (from == 0 && to == record.length) {
      wholeRecord = record;
    } else if (wholeRecord == null && !(from == lastFrom && to == lastTo)) {
      addPiece(record, from, to);
      begins.set(all.begin());
    }
  }

  /** Appends a piece. Points of one piece report it in succession; the caller skips the repeats. */
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

  long count() {
    return count;
  }

  /** Approximate size of the value and the {@code rondo.*} headers. */
  long bytes() {
    int value = wholeRecord == null ? pieces.size() : Math.min(wholeRecord.length, MAX_BYTES);
    return value + RONDO_HEADERS_BYTES;
  }

  /**
   * Returns the record to send: the headers of {@code source}, and {@code rondo.*} headers with
   * offset, timestamp, reason, number of pieces, the pieces to skip, and the sizes of omitted
   * parts.
   *
   * @param all all pieces of the record
   */
  Record<byte[], byte[]> of(Record<byte[], byte[]> source, RecordId id, RecordPieces all) {
    Headers own = new RecordHeaders(source.headers()).remove(DeadLetterHeader.SKIP);
    long headersBytes = bytesOf(own);
    boolean headersFit = headersBytes <= MAX_HEADERS_BYTES;
    boolean keyFits = source.key() == null || source.key().length <= MAX_KEY_BYTES;
    Headers headers = headersFit ? own : new RecordHeaders();
    putSkipped(headers, all);
    put(headers, DeadLetterHeader.TOPIC, id.topic());
    put(headers, DeadLetterHeader.PARTITION, id.partition());
    put(headers, DeadLetterHeader.OFFSET, id.offset());
    put(headers, DeadLetterHeader.TIMESTAMP, source.timestamp());
    put(headers, DeadLetterHeader.REASON, reason.key());
    put(headers, DeadLetterHeader.DETAIL, firstDetail);
    put(headers, DeadLetterHeader.COUNT, count);
    put(headers, DeadLetterHeader.BYTES, wholeRecord == null ? piecesBytes : wholeRecord.length);
    if (!keyFits) {
      put(headers, DeadLetterHeader.KEY_BYTES, source.key().length);
    }
    if (!headersFit) {
      put(headers, DeadLetterHeader.HEADERS_BYTES, headersBytes);
    }
    return new Record<>(keyFits ? source.key() : null, value(), source.timestamp(), headers);
  }

  private void putSkipped(Headers headers, RecordPieces all) {
    if (wholeRecord != null) {
      Skipped.put(headers, rejected, all.size());
      return;
    }
    BitSet kept = new BitSet();
    int size = 0;
    for (int first = begins.nextSetBit(0); first >= 0; first = begins.nextSetBit(first + 1)) {
      int end = all.end(first);
      for (int n = rejected.nextSetBit(first); n >= 0 && n < end; n = rejected.nextSetBit(n + 1)) {
        kept.set(size + n - first);
      }
      size += end - first;
    }
    Skipped.put(headers, kept, size);
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
