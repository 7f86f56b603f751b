package dev.rondo.tools.deadletters.read;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.rondo.schemas.deadletters.DeadLetterHeader;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;

/**
 * Names of the headers that describe a dead letter: those of the topology, or those that Connect
 * adds with {@code errors.deadletterqueue.context.headers.enable=true}.
 *
 * @param prefix of all these names
 */
record DeadLetterHeaders(
    String prefix, String topic, String partition, String offset, String reason, String detail) {
  static final DeadLetterHeaders TOPOLOGY =
      new DeadLetterHeaders(
          DeadLetterHeader.PREFIX,
          DeadLetterHeader.TOPIC,
          DeadLetterHeader.PARTITION,
          DeadLetterHeader.OFFSET,
          DeadLetterHeader.REASON,
          DeadLetterHeader.DETAIL);

  static final DeadLetterHeaders CONNECT =
      new DeadLetterHeaders(
          DeadLetterHeader.CONNECT_PREFIX,
          DeadLetterHeader.CONNECT_PREFIX + "topic",
          DeadLetterHeader.CONNECT_PREFIX + "partition",
          DeadLetterHeader.CONNECT_PREFIX + "offset",
          DeadLetterHeader.CONNECT_PREFIX + "exception.class.name",
          DeadLetterHeader.CONNECT_PREFIX + "exception.message");

  /**
   * Picks the names by the headers that were added last. Earlier ones may come from the sender: a
   * record that the sink rejects can carry headers of the topology, and a point those of Connect.
   */
  static DeadLetterHeaders of(Headers headers) {
    DeadLetterHeaders last = TOPOLOGY;
    for (Header header : headers) {
      if (header.key().equals(CONNECT.topic)) {
        last = CONNECT;
      } else if (header.key().equals(TOPOLOGY.topic)) {
        last = TOPOLOGY;
      }
    }
    return last;
  }

  /** Key of the reason; null without one. */
  String reason(Headers headers) {
    String text = text(headers, reason);
    return equals(CONNECT) ? SinkReason.of(text).key() : text;
  }

  static boolean isDescription(Header header) {
    return header.key().startsWith(TOPOLOGY.prefix) || header.key().startsWith(CONNECT.prefix);
  }

  /** Text of a header; null without it. */
  static String text(Headers headers, String name) {
    Header header = headers.lastHeader(name);
    return header == null || header.value() == null ? null : new String(header.value(), UTF_8);
  }

  static long number(Headers headers, String name, long otherwise) {
    String text = text(headers, name);
    try {
      return text == null ? otherwise : Long.parseLong(text);
    } catch (NumberFormatException e) {
      return otherwise;
    }
  }
}
