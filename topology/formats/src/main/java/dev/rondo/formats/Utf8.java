package dev.rondo.formats;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/** Text of bytes that may be anything. */
public final class Utf8 {
  private static final char REPLACEMENT = '\ufffd';

  private Utf8() {}

  /** The text; bytes that are no UTF-8 are {@link DroppedException unreadable}. */
  public static String text(byte[] bytes, int from, int to) throws DroppedException {
    String text = new String(bytes, from, to - from, StandardCharsets.UTF_8);
    if (text.indexOf(REPLACEMENT) >= 0) {
      check(bytes, from, to); // the sender may mean it
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
