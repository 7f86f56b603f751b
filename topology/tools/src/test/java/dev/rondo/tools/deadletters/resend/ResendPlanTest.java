package dev.rondo.tools.deadletters;

import static org.assertj.core.api.Assertions.assertThat;

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

  /** A letter at {@code place} of the record at offset {@code source} of points-0. */
  private static Candidate candidate(DeadLetterOffset place, long source, long checksum) {
    return new Candidate(
        place, new RecordId("points", 0, source), 1000, checksum, "unreadable", 0, false);
  }

  private static DeadLetterOffset place(int partition, long offset) {
    return new DeadLetterOffset(partition, offset, 10);
  }

  private ResendPlan plan(boolean again, Candidate... candidates) {
    return ResendPlan.of(
        List.of(candidates), marks, again, c -> false, c -> c.source().topic().equals("points"));
  }

  private void mark(DeadLetterOffset letter) {
    ProducerRecord<byte[], byte[]> mark = SentMarks.of(letter);
    ConsumerRecord<byte[], byte[]> read =
        new ConsumerRecord<>(mark.topic(), mark.partition(), 1_000_000, mark.key(), mark.value());
    mark.headers().forEach(read.headers()::add);
    marks.read(read);
  }

  @Test
  void shouldSendInTheOrderOfWritingWhateverPartitionTheLettersAreIn() {
    List<Candidate> candidates =
        new ArrayList<>(
            IntStream.range(0, 50).mapToObj(n -> candidate(place(n % 3, 100 - n), n, n)).toList());
    Collections.shuffle(candidates, new Random(1));
    assertThat(plan(false, candidates.toArray(Candidate[]::new)).places())
        .extracting(DeadLetterOffset::offset)
        .isEqualTo(IntStream.range(0, 50).mapToObj(n -> 100L - n).toList());
  }

  /** The sink fills in with what is sent again, so the first one wins. */
  @Test
  void shouldSendRowsLastAndTheNewestFirst() {
    Candidate[] candidates = {
      sinkLetter(place(0, 1), "rondo.bundle-rows", 5),
      sinkLetter(place(0, 2), "rondo.bundle-rows", 9),
      sinkLetter(place(0, 3), "rondo.series", 4),
      candidate(place(0, 4), 1, 1)
    };
    assertThat(
            ResendPlan.of(List.of(candidates), marks, false, c -> false, c -> true)
                .places()
                .stream()
                .map(DeadLetterOffset::offset))
        .containsExactly(4L, 3L, 2L, 1L);
  }

  @Test
  void shouldNotSendWhatIsSuperseded() {
    Candidate old = sinkLetter(place(0, 1), "rondo.series", 5);
    ResendPlan plan = ResendPlan.of(List.of(old), marks, true, old::equals, c -> true);
    assertThat(plan.letters()).isZero();
    assertThat(plan.notSentLines().get(0)).contains("1, of a series that has a newer entry");
  }

  private static Candidate sinkLetter(DeadLetterOffset place, String topic, long offset) {
    return new Candidate(
        place, new RecordId(topic, 3, offset), 2000, offset, "sink-refused", 0, false);
  }

  @Test
  void shouldSendTheSameBytesOfARecordOnceAndMarkAllTheirLetters() {
    ResendPlan plan =
        plan(
            false,
            candidate(place(0, 1), 7, 111),
            candidate(place(1, 1), 7, 222),
            candidate(place(1, 9), 7, 111),
            candidate(place(0, 2), 8, 111));
    assertThat(plan.places()).containsExactly(place(0, 1), place(1, 1), place(0, 2));
    assertThat(plan.sentWith(place(0, 1))).containsExactlyInAnyOrder(place(0, 1), place(1, 9));
    assertThat(plan.sentWith(place(0, 2))).containsExactly(place(0, 2));
    assertThat(plan.notSentLines())
        .containsExactly(
            "Not sent: 1, the very bytes of another one of the same record, which is sent",
            "  points-0 offset 7");
  }

  @Test
  void shouldNotSendWhatWasSentUnlessAskedAgain() {
    mark(place(1, 5));
    Candidate[] candidates = {candidate(place(1, 5), 1, 1), candidate(place(0, 5), 2, 2)};
    assertThat(plan(false, candidates).places()).containsExactly(place(0, 5));
    assertThat(plan(false, candidates).notSentLines().get(0))
        .startsWith("Not sent: 1, sent before");
    assertThat(plan(true, candidates).places()).containsExactly(place(1, 5), place(0, 5));
  }

  /** One of its letters was asked for by its reason, now all are. */
  @Test
  void shouldNotSendTheBytesOfARecordAgainForAnotherReason() {
    mark(place(1, 5));
    Candidate[] candidates = {
      candidate(place(0, 5), 7, 111), candidate(place(1, 5), 7, 111), candidate(place(1, 6), 7, 222)
    };
    assertThat(plan(false, candidates).places()).containsExactly(place(1, 6));
  }

  @Test
  void shouldLeaveBytesAloneThatCameBackThreeTimes() {
    assertThat(plan(false, cameBack(2)).letters()).isEqualTo(1);
    assertThat(plan(false, cameBack(3)).letters()).isZero();
    assertThat(plan(true, cameBack(3)).letters()).isEqualTo(1);
  }

  private static Candidate cameBack(long times) {
    return new Candidate(
        place(0, 1), new RecordId("points", 0, 1), 1, 1, "unreadable", times, false);
  }

  @Test
  void shouldNeverSendWhatIsCutEmptyOrHasNoTopic() {
    RecordId source = new RecordId("points", 0, 1);
    Candidate cut = new Candidate(place(0, 1), source, 1, 1, "unreadable", 0, true);
    Candidate empty =
        new Candidate(new DeadLetterOffset(0, 2, 0), source, 1, 1, "unreadable", 0, false);
    Candidate gone =
        new Candidate(place(0, 3), new RecordId("gone", 0, 1), 1, 1, "unreadable", 0, false);
    ResendPlan plan = plan(true, cut, empty, gone);
    assertThat(plan.letters()).isZero();
    assertThat(plan.sentLines()).isEmpty();
    assertThat(String.join(" ", plan.notSentLines()))
        .contains("1, too long: their bytes are cut")
        .contains("1, without any bytes")
        .contains("1, from a topic that is no more (--to names another one)   gone-0 offset 1");
  }

  @Test
  void shouldCutPlacesIntoWindowsThatFitIntoMemory() {
    List<DeadLetterOffset> places =
        IntStream.range(0, 25).mapToObj(n -> new DeadLetterOffset(0, n, 3 * 1024 * 1024)).toList();
    List<List<DeadLetterOffset>> windows = DeadLetterOffset.windows(places);
    assertThat(windows).extracting(List::size).containsExactly(5, 5, 5, 5, 5);
    assertThat(windows.stream().flatMap(List::stream)).isEqualTo(places);
    assertThat(DeadLetterOffset.windows(List.of())).isEmpty();
    assertThat(DeadLetterOffset.windows(List.of(new DeadLetterOffset(0, 1, 99_000_000))))
        .hasSize(1);
  }
}
