package dev.rondo.topology.decode;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.rondo.schemas.deadletters.DeadLetterHeader;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;

/**
 * The time at which bytes were first written. A resent dead letter is a new record; its points
 * without a time keep the time of the original record.
 */
public final class FirstWritten {
  private FirstWritten() {}

  /**
   * Returns the time, epoch ms.
   *
   * @param writtenMs time of the record itself; returned unless a header names an earlier time
   *     after 1970
   */
  static long of(Headers headers, long writtenMs) {
    Header header = headers.lastHeader(DeadLetterHeader.WRITTEN);
    if (header == null || header.value() == null) {
      return writtenMs;
    }
    try {
      long firstMs = Long.parseLong(new String(header.value(), UTF_8));
      return firstMs > 0 && firstMs < writtenMs ? firstMs : writtenMs;
    } catch (NumberFormatException e) {
      return writtenMs;
    }
  }
}
