package dev.rondo.topology.consolidate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class SeriesInquiryTest {
  private static final SeriesState STATE = new SeriesState(1, 1, null, 2, List.of());

  private final SeriesInquiry inquiry = new SeriesInquiry();

  private CompletableFuture<Optional<SeriesState>> ask(String ident) throws Exception {
    return inquiry.ask(ident, Duration.ofHours(1));
  }

  private void assertBusy() {
    assertThatThrownBy(() -> ask("other")).isInstanceOf(SeriesInquiry.BusyException.class);
  }

  @Test
  void shouldReturnTheAnswerOfTheTaskThatKnowsTheSeries() throws Exception {
    inquiry.join("quick");
    inquiry.join("slow");
    var asked = ask("load");
    inquiry.answer("quick", ident -> ident.equals("load") ? STATE : null);
    assertThat(asked).isCompletedWithValue(Optional.of(STATE));
  }

  @Test
  void shouldEndOnceNoTaskKnowsTheSeries() throws Exception {
    assertThat(ask("load")).as("without a task").isCompletedWithValue(Optional.empty());
    inquiry.join("one");
    inquiry.join("other");
    inquiry.join("gone");
    inquiry.leave("gone");
    var asked = ask("load");
    inquiry.answer("one", ident -> null);
    assertThat(asked).isNotDone();
    inquiry.answer("other", ident -> null);
    assertThat(asked).isCompletedWithValue(Optional.empty());
  }

  @Test
  void shouldEndAfterTheBound() throws Exception {
    inquiry.join("frozen");
    assertThat(inquiry.ask("load", Duration.ofMillis(1)).get()).isEmpty();
    assertThat(ask("load")).isNotDone();
  }

  @Test
  void shouldAnswerOneAtATime() throws Exception {
    inquiry.join("task");
    assertThat(ask("load")).isNotDone();
    inquiry.answer(
        "task",
        ident -> {
          assertBusy();
          return STATE;
        });
    assertThat(ask("load")).isNotDone();
    assertBusy();
  }
}
