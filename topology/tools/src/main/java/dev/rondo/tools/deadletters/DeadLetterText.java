package dev.rondo.tools.deadletters;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.rondo.tools.command.PastTime;
import java.util.List;

/**
 * A letter for a person to read:
 *
 * <pre>
 *   2026-05-04T10:00:31.250Z  unreadable  points-3 offset 4711  2 in 13 bytes
 *     fields: 2, not path value time: 'half a'
 *     half a\nhalf b
 * </pre>
 */
final class DeadLetterText {
  private DeadLetterText() {}

  static List<String> lines(DeadLetter letter, boolean isSent) {
    return List.of(
        "%s  %s  %s-%d offset %d  %d in %d bytes%s%s"
            .formatted(
                PastTime.show(letter.timeMs()),
                plain(letter.reason()),
                plain(letter.source().topic()),
                letter.source().partition(),
                letter.source().offset(),
                letter.count(),
                letter.bytes(),
                letter.resent() > 0 ? ", came back after sent again: " + letter.resent() : "",
                isSent ? ", sent again" : ""),
        "  " + plain(letter.detail()),
        "  " + (letter.value().length == 0 ? "(no bytes)" : BytesExcerpt.of(letter.value())));
  }

  /** Text of a header on one line. */
  private static String plain(String text) {
    return BytesExcerpt.of(text.getBytes(UTF_8));
  }
}
