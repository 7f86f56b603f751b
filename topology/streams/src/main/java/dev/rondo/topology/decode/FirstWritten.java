package dev.rondo.topology.decode;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.rondo.schemas.deadletters.DeadLetterHeader;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;

/**
 * When the bytes of a record were first written. A dead letter that is resent is a new record; its
 * points without a time of their own keep that of the first one.
 */
public final class FirstWritten {
  private FirstWritten() {}

  /**
   * The time, epoch ms.
   *
   * @param writtenMs when the record itself was written, which it is without a header that is
   *     between 1970 and then
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
