package dev.rondo.tools.deadletters;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.rondo.tools.command.PastTime;
import dev.rondo.tools.deadletters.read.DeadLetter;
import java.util.List;

/**
 * Prints a dead letter as text:
 *
 * <pre>
 *   2026-05-04T10:00:31.250Z  unreadable  points-3 offset 4711  2 in 13 bytes
 *     fields: 2, not path value time: 'half a'
 *     half a\nhalf b
 * </pre>
 */
final class DeadLetterText {
  private DeadLetterText() {}

  static List<String> lines(DeadLetter deadLetter, boolean isSent) {
    return List.of(
        "%s  %s  %s-%d offset %d  %d in %d bytes%s%s"
            .formatted(
                PastTime.show(deadLetter.timeMs()),
                plain(deadLetter.reason()),
                plain(deadLetter.source().topic()),
                deadLetter.source().partition(),
                deadLetter.source().offset(),
                deadLetter.count(),
                deadLetter.bytes(),
                deadLetter.resent() > 0
                    ? ", came back after resending: " + deadLetter.resent()
                    : "",
                isSent ? ", resent" : ""),
        "  " + plain(deadLetter.detail()),
        "  "
            + (deadLetter.value().length == 0
                ? "(no bytes)"
                : BytesExcerpt.of(deadLetter.value())));
  }

  /** Text of a header as one line without control characters. */
  private static String plain(String text) {
    return BytesExcerpt.of(text.getBytes(UTF_8));
  }
}
