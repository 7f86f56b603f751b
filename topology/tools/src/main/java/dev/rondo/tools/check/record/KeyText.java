package dev.rondo.tools.check.record;

import dev.rondo.formats.Excerpt;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/** Formats a record's key. */
public final class KeyText {
  private static final int MAX_HEX_BYTES = 16;

  private KeyText() {}

  /** The key as text if it is UTF-8, otherwise hexadecimal, {@code 0x01ff…}; null without a key. */
  public static String of(byte[] key) {
    if (key == null) {
      return null;
    }
    try {
      String text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(key)).toString();
      if (!text.isEmpty() && text.chars().noneMatch(Character::isISOControl)) {
        return Excerpt.of(text);
      }
    } catch (CharacterCodingException e) {
      // shown as hexadecimal
    }
    int shown = Math.min(key.length, MAX_HEX_BYTES);
    return "0x" + HexFormat.of().formatHex(key, 0, shown) + (shown < key.length ? "…" : "");
  }
}
