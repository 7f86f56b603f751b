package dev.rondo.tools.deadletters;

import dev.rondo.schemas.Topics;
import dev.rondo.topology.drops.RecordId;
import java.util.Comparator;
import org.apache.kafka.common.utils.Crc32C;

/**
 * What a plan keeps of a letter that may be sent.
 *
 * @param source where its record was
 * @param writtenMs when its record was written, epoch ms
 * @param checksum of its bytes
 * @param reason why it is a dead letter
 * @param cameBack how often its bytes had been sent
 * @param isCut whether bytes are missing
 */
record Candidate(
    DeadLetterOffset place,
    RecordId source,
    long writtenMs,
    long checksum,
    String reason,
    long cameBack,
    boolean isCut) {

  private static final Comparator<Candidate> AS_READ =
      Comparator.comparing((Candidate candidate) -> candidate.source().topic())
          .thenComparing(candidate -> candidate.source().partition())
          .thenComparing(candidate -> candidate.source().offset());

  /** The order in which the records were written: a series' points must not overtake each other. */
  private static final Comparator<Candidate> AS_WRITTEN =
      Comparator.comparingLong(Candidate::writtenMs).thenComparing(AS_READ);

  /**
   * The order of sending. Rows come last and the newest of them first: the sink fills in with a row
   * that is sent again what it does not know yet, so that of two letters the newer one holds.
   */
  static final Comparator<Candidate> ORDER =
      Comparator.comparing(Candidate::isRow)
          .thenComparing((a, b) -> a.isRow() ? AS_READ.compare(b, a) : AS_WRITTEN.compare(a, b));

  /** Of millions of letters, topics and reasons are few. */
  static Candidate of(DeadLetter letter) {
    RecordId source = letter.source();
    return new Candidate(
        letter.place(),
        new RecordId(source.topic().intern(), source.partition(), source.offset()),
        letter.writtenMs(),
        Crc32C.compute(letter.value(), 0, letter.value().length),
        letter.reason().intern(),
        letter.resent(),
        letter.isCut());
  }

  /** Whether it is one for the sink. */
  private boolean isRow() {
    return source.topic().equals(Topics.BUNDLE_ROWS.name());
  }

  /** What is the same of letters that hold the very same bytes of the same record. */
  record Bytes(RecordId source, long checksum, int length) {}

  Bytes bytes() {
    return new Bytes(source, checksum, place.bytes());
  }
}
