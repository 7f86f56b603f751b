package dev.rondo.tools.deadletters;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;

/**
 * Beginning of bytes that may be anything, on one line and harmless to a terminal: text as text,
 * the ends of its lines as {@code \n}, anything else as hex.
 */
final class BytesExcerpt {
  private static final int CHARACTERS = 100;
  private static final int BYTES = 32;
  private static final int MOST_BYTES_OF_A_CHARACTER = 4;
  private static final HexFormat HEX = HexFormat.ofDelimiter(" ");

  private BytesExcerpt() {}

  static String of(byte[] bytes) {
    String text = text(bytes);
    if (text == null) {
      byte[] first = Arrays.copyOf(bytes, Math.min(bytes.length, BYTES));
      return "hex " + HEX.formatHex(first) + (bytes.length > BYTES ? " …" : "");
    }
    String line = text.replace("\r", "\\r").replace("\n", "\\n").replace("\t", "\\t");
    return line.length() <= CHARACTERS ? line : withoutHalf(line, CHARACTERS) + "…";
  }

  /** Null where it is not text, as far as it is looked at. */
  private static String text(byte[] bytes) {
    int most = CHARACTERS * MOST_BYTES_OF_A_CHARACTER;
    int length = bytes.length <= most ? bytes.length : wholeCharacters(bytes, most);
    try {
      String text =
          StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes, 0, length)).toString();
      return text.codePoints().allMatch(BytesExcerpt::isText) ? text : null;
    } catch (CharacterCodingException e) {
      return null;
    }
  }

  /** At most {@code most} bytes, not to end within a character. */
  private static int wholeCharacters(byte[] bytes, int most) {
    int length = most;
    while (length > most - MOST_BYTES_OF_A_CHARACTER && (bytes[length] & 0xc0) == 0x80) {
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

  private static String withoutHalf(String line, int most) {
    return line.substring(0, Character.isHighSurrogate(line.charAt(most - 1)) ? most - 1 : most);
  }
}
