package dev.rondo.tools.check;

import dev.rondo.formats.Excerpt;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/** A record's key for people. */
final class KeyText {
  private static final int MOST_BYTES_OF_HEX = 16;

  private KeyText() {}

  /** Text where it is one, else hexadecimal, {@code 0x01ff…}; null where there is no key. */
  static String of(byte[] key) {
    if (key == null) {
      return null;
    }
    try {
      String text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(key)).toString();
      if (!text.isEmpty() && text.chars().noneMatch(Character::isISOControl)) {
        return Excerpt.of(text);
      }
    } catch (CharacterCodingException e) {
      // told as hexadecimal
    }
    int shown = Math.min(key.length, MOST_BYTES_OF_HEX);
    return "0x" + HexFormat.of().formatHex(key, 0, shown) + (shown < key.length ? "…" : "");
  }
}
