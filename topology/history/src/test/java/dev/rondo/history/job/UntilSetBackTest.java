package dev.rondo.history.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class UntilSetBackTest {
  private static final Duration HOUR = Duration.ofHours(1);

  private final UntilSetBack until = new UntilSetBack();

  @Test
  void shouldInterruptAStepWhenTheClockIsSetBack() throws Exception {
    var begun = new CountDownLatch(1);
    var setBack =
        CompletableFuture.runAsync(
            () -> {
              try {
                begun.await();
              } catch (InterruptedException e) {
                throw new IllegalStateException(e);
              }
              until.interrupt(HOUR);
            });
    Duration back =
        until.run(
            () -> {
              begun.countDown();
              new CountDownLatch(1).await();
            });
    setBack.join();
    assertThat(back).isEqualTo(HOUR);
    assertThat(Thread.currentThread().isInterrupted()).isFalse();
  }

  /** A client of Kafka interrupts its thread again when it is closed. */
  @Test
  void shouldTakeAnyFailureOfAnInterruptedStepForTheInterruption() throws Exception {
    Duration back =
        until.run(
            () -> {
              until.interrupt(HOUR);
              throw new IOException("interrupted");
            });
    assertThat(back).isEqualTo(HOUR);
    assertThat(Thread.currentThread().isInterrupted()).isFalse();
  }

  @Test
  void shouldNotInterruptAfterTheStepHasEnded() throws Exception {
    assertThat(until.run(() -> {})).isZero();
    until.interrupt(HOUR);
    assertThat(Thread.currentThread().isInterrupted()).isFalse();
  }

  @Test
  void shouldEndWithAStepThatEndsThoughTheClockIsSetBack() throws Exception {
    assertThat(until.run(() -> until.interrupt(HOUR))).isZero();
    assertThat(Thread.currentThread().isInterrupted()).isFalse();
  }

  @Test
  void shouldPassOnAFailureOfTheStep() {
    var failure = new IOException("of the step");
    assertThatThrownBy(
            () ->
                until.run(
                    () -> {
                      throw failure;
                    }))
        .isSameAs(failure);
  }
}
