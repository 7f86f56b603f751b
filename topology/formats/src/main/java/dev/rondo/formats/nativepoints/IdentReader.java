package dev.rondo.formats.nativepoints;

import dev.rondo.formats.DropReason;
import dev.rondo.formats.DroppedException;
import dev.rondo.formats.Excerpt;
import dev.rondo.formats.Labels;
import dev.rondo.formats.Naming;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/**
 * Converts idents as a sender has written them to canonical ones; copies those that are already
 * canonical.
 */
final class IdentReader {
  private final Naming naming;
  private final int identMaxBytes;
  private final int identMaxTags;
  private final Labels labels = new Labels();

  IdentReader(Naming naming, int identMaxBytes, int identMaxTags) {
    this.naming = naming;
    this.identMaxBytes = identMaxBytes;
    this.identMaxTags = identMaxTags;
  }

  String of(IdentBytes ident) throws DroppedException {
    byte[] bytes = ident.bytes();
    int length = ident.length();
    if (length > identMaxBytes) {
      throw new DroppedException(
          DropReason.NAME_TOO_LONG,
          "name of %d bytes, more than %d (ident.max.bytes): '%s'"
              .formatted(length, identMaxBytes, Excerpt.of(bytes, 0, length)));
    }
    return naming.isPlain() && CanonicalIdent.is(bytes, length, identMaxTags)
        ? new String(bytes, 0, length, StandardCharsets.ISO_8859_1)
        : named(text(bytes, length));
  }

  private static String text(byte[] bytes, int length) throws DroppedException {
    try {
      return StandardCharsets.UTF_8
          .newDecoder()
          .decode(ByteBuffer.wrap(bytes, 0, length))
          .toString();
    } catch (CharacterCodingException e) {
      throw DroppedException.unreadable("not UTF-8: '" + Excerpt.of(bytes, 0, length) + "'");
    }
  }

  private String named(String text) throws DroppedException {
    int nameEnd = text.indexOf(';');
    labels.clear();
    for (int at = nameEnd; at >= 0; ) {
      int end = text.indexOf(';', at + 1);
      putTag(text.substring(at + 1, end < 0 ? text.length() : end));
      at = end;
    }
    return naming.ident(nameEnd < 0 ? text : text.substring(0, nameEnd), "", labels);
  }

  private void putTag(String tag) throws DroppedException {
    int equals = tag.indexOf('=');
    if (equals < 1) {
      throw DroppedException.unreadable("tag '" + Excerpt.of(tag) + "' is not key=value");
    }
    labels.put(tag.substring(0, equals), tag.substring(equals + 1));
  }
}
