package dev.rondo.tools.deadletters.resend;

import dev.rondo.tools.deadletters.read.DeadLetter;
import dev.rondo.tools.deadletters.read.DeadLetterLocation;
import dev.rondo.topology.drops.RecordId;
import java.util.Comparator;
import java.util.zip.CRC32C;

/**
 * What the plan remembers of a dead letter that may be resent.
 *
 * @param source of the original record
 * @param writtenMs time at which the original record was written, epoch ms
 * @param checksum CRC-32C of its bytes, and of what to skip of them
 * @param reason for which it is a dead letter
 * @param cameBack number of times that its bytes were resent and came back
 * @param isCut whether bytes are missing
 * @param isRow whether it is a bundle row for the sink
 */
record Candidate(
    DeadLetterLocation location,
    RecordId source,
    long writtenMs,
    long checksum,
    String reason,
    long cameBack,
    boolean isCut,
    boolean isRow) {

  private static final Comparator<Candidate> AS_READ =
      Comparator.comparing((Candidate candidate) -> candidate.source().topic())
          .thenComparing(candidate -> candidate.source().partition())
          .thenComparing(candidate -> candidate.source().offset());

  /** The order in which the records were written, which keeps the points of a series in order. */
  private static final Comparator<Candidate> AS_WRITTEN =
      Comparator.comparingLong(Candidate::writtenMs).thenComparing(AS_READ);

  /**
   * Order of sending. Rows come last, the newest first: the sink uses a resent row only to fill
   * values that are still unknown, so of two dead letters for a slot the first one sent wins.
   */
  static final Comparator<Candidate> ORDER =
      Comparator.comparing(Candidate::isRow)
          .thenComparing((a, b) -> a.isRow() ? AS_READ.compare(b, a) : AS_WRITTEN.compare(a, b));

  /**
   * Interns topic and reason: millions of dead letters share a few.
   *
   * @param rows topic of the bundle rows
   */
  static Candidate of(DeadLetter deadLetter, String rows) {
    RecordId source = deadLetter.source();
    return new Candidate(
        deadLetter.location(),
        new RecordId(source.topic().intern(), source.partition(), source.offset()),
        deadLetter.writtenMs(),
        crc(deadLetter.value()) | crc(deadLetter.skipped()) << Integer.SIZE,
        deadLetter.reason().intern(),
        deadLetter.resent(),
        deadLetter.isCut(),
        source.topic().equals(rows));
  }

  private static long crc(byte[] bytes) {
    var crc = new CRC32C();
    crc.update(bytes);
    return crc.getValue();
  }

  /**
   * Identifies the rejected bytes of a record: dead letters with equal {@code Bytes} hold the same
   * bytes, and are about the same of them.
   */
  record Bytes(RecordId source, long checksum, int length) {}

  Bytes bytes() {
    return new Bytes(source, checksum, location.bytes());
  }
}
