package dev.rondo.topology.decode;

import dev.rondo.schemas.deadletters.DeadLetterHeader;
import java.util.BitSet;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;

/**
 * The content of a dead letter that was not rejected for its reason: points that are stored, or in
 * another dead letter. It is skipped when the bytes are resent. Otherwise increments would count
 * twice, and an older point would win in Whisper mode.
 *
 * <pre>
 *   m a=1,b=?,c=1     number 0 1 2, rejected 1, skipped 0 2
 * </pre>
 *
 * The header {@code rondo.skip} holds a {@link BitSet#toByteArray}: the skipped numbers of {@link
 * RecordPieces}, then the number of all pieces. It is absent if none is skipped.
 */
public final class Skipped {
  static final BitSet NONE = new BitSet();

  private Skipped() {}

  static boolean isIn(Headers headers) {
    return headers.lastHeader(DeadLetterHeader.SKIP) != null;
  }

  /**
   * Returns the skipped numbers of a record that now decodes to {@code size} points, events and
   * drops. A different size than before means other settings or another version. Then the numbers
   * hold only if just the last one was rejected, which stands for the rest of the record.
   */
  static BitSet of(Headers headers, int size) {
    Header header = headers.lastHeader(DeadLetterHeader.SKIP);
    BitSet skipped = header.value() == null ? new BitSet() : BitSet.valueOf(header.value());
    int sizeBefore = Math.max(0, skipped.length() - 1);
    skipped.clear(sizeBefore);
    boolean isRestRejected =
        skipped.cardinality() == sizeBefore - 1 && !skipped.get(sizeBefore - 1);
    boolean isMore = isRestRejected && size > sizeBefore;
    return size == sizeBefore || isMore ? skipped : NONE;
  }

  /** Adds the header for {@code size} points, events and drops, unless all are rejected. */
  static void put(Headers headers, BitSet rejected, int size) {
    if (rejected.cardinality() < size) {
      BitSet skipped = new BitSet();
      skipped.set(0, size + 1);
      skipped.andNot(rejected);
      headers.add(DeadLetterHeader.SKIP, skipped.toByteArray());
    }
  }
}
