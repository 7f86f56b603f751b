package dev.rondo.tools.deadletters;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;

/**
 * Shows the beginning of arbitrary bytes on one line, without control characters: text as text with
 * line ends as {@code \n}, anything else as hex.
 */
final class BytesExcerpt {
  private static final int CHARACTERS = 100;
  private static final int BYTES = 32;
  private static final int MAX_BYTES_PER_CHARACTER = 4;
  private static final HexFormat HEX = HexFormat.ofDelimiter(" ");

  private BytesExcerpt() {}

  static String of(byte[] bytes) {
    String text = text(bytes);
    if (text == null) {
      byte[] first = Arrays.copyOf(bytes, Math.min(bytes.length, BYTES));
      return "hex " + HEX.formatHex(first) + (bytes.length > BYTES ? " …" : "");
    }
    String line = text.replace("\r", "\\r").replace("\n", "\\n").replace("\t", "\\t");
    return line.length() <= CHARACTERS ? line : withoutHalfOfAPair(line, CHARACTERS) + "…";
  }

  /** The text that the first bytes hold; null if they hold anything else. */
  private static String text(byte[] bytes) {
    int most = CHARACTERS * MAX_BYTES_PER_CHARACTER;
    int length = bytes.length <= most ? bytes.length : lengthWithoutPartOfACharacter(bytes, most);
    try {
      String text =
          StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes, 0, length)).toString();
      return text.codePoints().allMatch(BytesExcerpt::isText) ? text : null;
    } catch (CharacterCodingException e) {
      return null;
    }
  }

  /** The largest length up to {@code most} that does not end within a character. */
  private static int lengthWithoutPartOfACharacter(byte[] bytes, int most) {
    int length = most;
    while (length > most - MAX_BYTES_PER_CHARACTER && (bytes[length] & 0xc0) == 0x80) {
      length--;
    }
    return length;
  }

  private static boolean isText(int c) {
    if (c == '\n' || c == '\r' || c == '\t') {
      return true;
    }
    return switch (Character.getType(c)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.UNASSIGNED,
          Character.PRIVATE_USE,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR ->
          false;
      default -> true;
    };
  }

  private static String withoutHalfOfAPair(String line, int most) {
    return line.substring(0, Character.isHighSurrogate(line.charAt(most - 1)) ? most - 1 : most);
  }
}
