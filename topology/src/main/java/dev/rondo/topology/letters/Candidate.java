package dev.rondo.topology.letters;

import dev.rondo.topology.drops.SourcePlace;
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
    LetterPlace place,
    SourcePlace source,
    long writtenMs,
    long checksum,
    String reason,
    long cameBack,
    boolean isCut) {

  /** The order in which the records were written: a series' points must not overtake each other. */
  static final Comparator<Candidate> AS_WRITTEN =
      Comparator.comparingLong(Candidate::writtenMs)
          .thenComparing(candidate -> candidate.source().topic())
          .thenComparing(candidate -> candidate.source().partition())
          .thenComparing(candidate -> candidate.source().offset());

  /** Of millions of letters, topics and reasons are few. */
  static Candidate of(Letter letter) {
    SourcePlace source = letter.source();
    return new Candidate(
        letter.place(),
        new SourcePlace(source.topic().intern(), source.partition(), source.offset()),
        letter.writtenMs(),
        Crc32C.compute(letter.value(), 0, letter.value().length),
        letter.reason().intern(),
        letter.resent(),
        letter.isCut());
  }

  /** What is the same of letters that hold the very same bytes of the same record. */
  record Bytes(SourcePlace source, long checksum, int length) {}

  Bytes bytes() {
    return new Bytes(source, checksum, place.bytes());
  }
}
