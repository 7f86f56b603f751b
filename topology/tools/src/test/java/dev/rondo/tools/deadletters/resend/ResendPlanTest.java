package dev.rondo.tools.deadletters.resend;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rondo.tools.deadletters.read.DeadLetterLocation;
import dev.rondo.tools.deadletters.read.SentMarks;
import dev.rondo.topology.drops.RecordId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Test;

class ResendPlanTest {
  private final SentMarks marks = new SentMarks(Map.of(0, 0L, 1, 0L));

  /** A dead letter at {@code location} of the record at offset {@code source} of points-0. */
  private static Candidate candidate(DeadLetterLocation location, long source, long checksum) {
    return new Candidate(
        location, new RecordId("points", 0, source), 1000, checksum, "unreadable", 0, false, false);
  }

  private static DeadLetterLocation location(int partition, long offset) {
    return new DeadLetterLocation(partition, offset, 10);
  }

  private ResendPlan plan(boolean again, Candidate... candidates) {
    return ResendPlan.of(
        List.of(candidates), marks, again, c -> false, c -> c.source().topic().equals("points"));
  }

  private void mark(DeadLetterLocation deadLetter) {
    ProducerRecord<byte[], byte[]> mark = SentMarks.of("rondo.dead-letters", deadLetter);
    ConsumerRecord<byte[], byte[]> read =
        new ConsumerRecord<>(mark.topic(), mark.partition(), 1_000_000, mark.key(), mark.value());
    mark.headers().forEach(read.headers()::add);
    marks.read(read);
  }

  @Test
  void shouldResendInTheOrderOfWritingAcrossPartitions() {
    List<Candidate> candidates =
        new ArrayList<>(
            IntStream.range(0, 50)
                .mapToObj(n -> candidate(location(n % 3, 100 - n), n, n))
                .toList());
    Collections.shuffle(candidates, new Random(1));
    assertThat(plan(false, candidates.toArray(Candidate[]::new)).locations())
        .extracting(DeadLetterLocation::offset)
        .isEqualTo(IntStream.range(0, 50).mapToObj(n -> 100L - n).toList());
  }

  /** The sink fills only unknown values from a resent row, so the first one sent wins. */
  @Test
  void shouldSendRowsLastAndTheNewestFirst() {
    Candidate[] candidates = {
      sinkDeadLetter(location(0, 1), "rondo.bundle-rows", 5),
      sinkDeadLetter(location(0, 2), "rondo.bundle-rows", 9),
      sinkDeadLetter(location(0, 3), "rondo.series", 4),
      candidate(location(0, 4), 1, 1)
    };
    assertThat(
            ResendPlan.of(List.of(candidates), marks, false, c -> false, c -> true)
                .locations()
                .stream()
                .map(DeadLetterLocation::offset))
        .containsExactly(4L, 3L, 2L, 1L);
  }

  @Test
  void shouldNotResendASupersededEntry() {
    Candidate old = sinkDeadLetter(location(0, 1), "rondo.series", 5);
    ResendPlan plan = ResendPlan.of(List.of(old), marks, true, old::equals, c -> true);
    assertThat(plan.size()).isZero();
    assertThat(plan.notSentLines().get(0)).contains("1, of a series with a newer entry");
  }

  private static Candidate sinkDeadLetter(DeadLetterLocation location, String topic, long offset) {
    return new Candidate(
        location,
        new RecordId(topic, 3, offset),
        2000,
        offset,
        "sink-refused",
        0,
        false,
        topic.equals("rondo.bundle-rows"));
  }

  @Test
  void shouldResendTheSameBytesOnceAndMarkAllTheirDeadLetters() {
    ResendPlan plan =
        plan(
            false,
            candidate(location(0, 1), 7, 111),
            candidate(location(1, 1), 7, 222),
            candidate(location(1, 9), 7, 111),
            candidate(location(0, 2), 8, 111));
    assertThat(plan.locations()).containsExactly(location(0, 1), location(1, 1), location(0, 2));
    assertThat(plan.sentWith(location(0, 1)))
        .containsExactlyInAnyOrder(location(0, 1), location(1, 9));
    assertThat(plan.sentWith(location(0, 2))).containsExactly(location(0, 2));
    assertThat(plan.notSentLines())
        .containsExactly(
            "Not sent: 1, with the bytes of another one of the same record, which is sent",
            "  points-0 offset 7");
  }

  @Test
  void shouldNotResendUnlessAskedTo() {
    mark(location(1, 5));
    Candidate[] candidates = {candidate(location(1, 5), 1, 1), candidate(location(0, 5), 2, 2)};
    assertThat(plan(false, candidates).locations()).containsExactly(location(0, 5));
    assertThat(plan(false, candidates).notSentLines().get(0))
        .startsWith("Not sent: 1, sent before");
    assertThat(plan(true, candidates).locations()).containsExactly(location(1, 5), location(0, 5));
  }

  /** First one dead letter of the record is selected by reason, then all are. */
  @Test
  void shouldNotResendTheBytesOfARecordForAnotherReason() {
    mark(location(1, 5));
    Candidate[] candidates = {
      candidate(location(0, 5), 7, 111),
      candidate(location(1, 5), 7, 111),
      candidate(location(1, 6), 7, 222)
    };
    assertThat(plan(false, candidates).locations()).containsExactly(location(1, 6));
  }

  @Test
  void shouldNotResendBytesThatCameBackThreeTimes() {
    assertThat(plan(false, cameBack(2)).size()).isEqualTo(1);
    assertThat(plan(false, cameBack(3)).size()).isZero();
    assertThat(plan(true, cameBack(3)).size()).isEqualTo(1);
  }

  private static Candidate cameBack(long times) {
    return new Candidate(
        location(0, 1), new RecordId("points", 0, 1), 1, 1, "unreadable", times, false, false);
  }

  @Test
  void shouldNeverResendCutOrEmptyBytesNorWithoutATopic() {
    RecordId source = new RecordId("points", 0, 1);
    Candidate cut = new Candidate(location(0, 1), source, 1, 1, "unreadable", 0, true, false);
    Candidate empty =
        new Candidate(new DeadLetterLocation(0, 2, 0), source, 1, 1, "unreadable", 0, false, false);
    Candidate gone =
        new Candidate(
            location(0, 3), new RecordId("gone", 0, 1), 1, 1, "unreadable", 0, false, false);
    ResendPlan plan = plan(true, cut, empty, gone);
    assertThat(plan.size()).isZero();
    assertThat(plan.sentLines()).isEmpty();
    assertThat(String.join(" ", plan.notSentLines()))
        .contains("1, cut, because their bytes were too long to be kept")
        .contains("1, without bytes")
        .contains(
            "1, from a topic that no longer exists (--to names another one)   gone-0 offset 1");
  }

  @Test
  void shouldSplitLocationsIntoBatchesThatFitIntoMemory() {
    List<DeadLetterLocation> locations =
        IntStream.range(0, 25)
            .mapToObj(n -> new DeadLetterLocation(0, n, 3 * 1024 * 1024))
            .toList();
    List<List<DeadLetterLocation>> batches = DeadLetterLocation.batches(locations);
    assertThat(batches).extracting(List::size).containsExactly(5, 5, 5, 5, 5);
    assertThat(batches.stream().flatMap(List::stream)).isEqualTo(locations);
    assertThat(DeadLetterLocation.batches(List.of())).isEmpty();
    assertThat(DeadLetterLocation.batches(List.of(new DeadLetterLocation(0, 1, 99_000_000))))
        .hasSize(1);
  }
}
