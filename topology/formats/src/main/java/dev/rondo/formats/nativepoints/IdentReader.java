package dev.rondo.formats.nativepoints;

import dev.rondo.formats.DropReason;
import dev.rondo.formats.DroppedException;
import dev.rondo.formats.Excerpt;
import dev.rondo.formats.Labels;
import dev.rondo.formats.Naming;
import dev.rondo.formats.Utf8;
import java.nio.charset.StandardCharsets;

/** Converts the idents of a sender to canonical ones; copies those that are already canonical. */
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
        : canonical(Utf8.text(bytes, 0, length));
  }

  private String canonical(String text) throws DroppedException {
    int nameEnd = text.indexOf(';');
    labels.clear();
    for (int at = nameEnd; at >= 0; ) {
      int end = text.indexOf(';', at + 1);
      labels.putTag(text.substring(at + 1, end < 0 ? text.length() : end));
      at = end;
    }
    return naming.ident(nameEnd < 0 ? text : text.substring(0, nameEnd), "", labels);
  }
}
