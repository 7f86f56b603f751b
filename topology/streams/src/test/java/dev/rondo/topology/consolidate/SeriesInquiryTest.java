package dev.rondo.topology.consolidate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class SeriesInquiryTest {
  private static final SeriesState STATE = new SeriesState(1, 1, null, 2, List.of());

  private final SeriesInquiry inquiry = new SeriesInquiry();

  private CompletableFuture<Optional<SeriesState>> ask(String ident) {
    return CompletableFuture.supplyAsync(
        () -> {
          try {
            return inquiry.ask(ident, Duration.ofHours(1));
          } catch (SeriesInquiry.BusyException | InterruptedException e) {
            throw new IllegalStateException(e);
          }
        });
  }

  private boolean isBusy() {
    try {
      return inquiry.ask("other", Duration.ZERO).isPresent();
    } catch (SeriesInquiry.BusyException e) {
      return true;
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void shouldReturnTheAnswerOfTheTaskThatKnowsTheSeries() throws Exception {
    inquiry.join("quick");
    inquiry.join("slow");
    var asked = ask("load");
    await()
        .until(
            () -> {
              inquiry.answer("quick", ident -> ident.equals("load") ? STATE : null);
              return asked.isDone();
            });
    assertThat(asked.get()).hasValue(STATE);
  }

  @Test
  void shouldEndOnceNoTaskKnowsTheSeries() throws Exception {
    assertThat(ask("load").get()).as("without a task").isEmpty();
    inquiry.join("one");
    inquiry.join("other");
    inquiry.join("gone");
    inquiry.leave("gone");
    var asked = ask("load");
    await()
        .until(
            () -> {
              inquiry.answer("one", ident -> null);
              inquiry.answer("other", ident -> null);
              return asked.isDone();
            });
    assertThat(asked.get()).isEmpty();
  }

  @Test
  void shouldAnswerOneAtATime() {
    inquiry.join("task");
    var asked = ask("load");
    var wasBusy = new AtomicBoolean();
    await()
        .until(
            () -> {
              inquiry.answer(
                  "task",
                  ident -> {
                    wasBusy.set(isBusy());
                    return STATE;
                  });
              return asked.isDone();
            });
    assertThat(wasBusy).isTrue();
    assertThat(isBusy()).isFalse();
  }
}
