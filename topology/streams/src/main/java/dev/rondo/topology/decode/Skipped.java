package dev.rondo.topology.decode;

import dev.rondo.schemas.deadletters.DeadLetterHeader;
import java.util.BitSet;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;

/**
 * What the bytes of a dead letter hold beside that which it was rejected for: stored points, and
 * those of dead letters for other reasons. It is skipped when the bytes are resent. Otherwise an
 * increment would count twice, and an older point would win in Whisper mode.
 *
 * <pre>
 *   m a=1,b=?,c=1     number 0 1 2, rejected 1, skipped 0 2
 * </pre>
 *
 * The header {@code rondo.skip} has the skipped numbers of {@link RecordPieces} in the bytes, and
 * the number after the last, as a {@link BitSet#toByteArray}; absent if none is skipped.
 */
public final class Skipped {
  /** Nothing. */
  static final BitSet NONE = new BitSet();

  private Skipped() {}

  /** Whether a record has the header. */
  static boolean isIn(Headers headers) {
    return headers.lastHeader(DeadLetterHeader.SKIP) != null;
  }

  /**
   * The skipped numbers of a record that is now decoded to {@code size} points, events and drops.
   * Another number than before means other settings or another version: then numbers are skipped
   * only if all before the last one are, which stands for the rest of the record.
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

  /** Adds the header for {@code size} points, events and drops of which some are rejected. */
  static void put(Headers headers, BitSet rejected, int size) {
    if (rejected.cardinality() < size) {
      BitSet skipped = new BitSet();
      skipped.set(0, size + 1);
      skipped.andNot(rejected);
      headers.add(DeadLetterHeader.SKIP, skipped.toByteArray());
    }
  }
}
