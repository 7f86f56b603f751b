package dev.rondo.formats;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/** Decodes UTF-8. */
public final class Utf8 {
  private static final char REPLACEMENT = '\ufffd';

  private Utf8() {}

  /** Decodes the bytes; throws if they are not UTF-8. */
  public static String text(byte[] bytes, int from, int to) throws DroppedException {
    String text = new String(bytes, from, to - from, StandardCharsets.UTF_8);
    if (text.indexOf(REPLACEMENT) >= 0) {
      check(bytes, from, to); // the sender may have sent the character itself
    }
    return text;
  }

  private static void check(byte[] bytes, int from, int to) throws DroppedException {
    try {
      StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes, from, to - from));
    } catch (CharacterCodingException e) {
      throw DroppedException.unreadable("not UTF-8: '" + Excerpt.of(bytes, from, to) + "'");
    }
  }
}
