package dev.rondo.topology.consolidate;

import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;

/**
 * Asks the tasks about a series, one question at a time. A task answers in its tick, because only
 * its own thread may read its state. Thread-safe.
 */
public final class SeriesInquiry {
  /**
   * @param unanswered tasks that have not answered
   */
  private record Question(
      String ident, Set<Object> unanswered, CompletableFuture<Optional<SeriesState>> answer) {}

  private final Set<Object> tasks = ConcurrentHashMap.newKeySet();
  private final AtomicReference<Question> open = new AtomicReference<>();

  /** Thrown while another question is open. */
  public static final class BusyException extends Exception {
    private static final long serialVersionUID = 1L;
  }

  /**
   * Asks all tasks of this instance.
   *
   * @return the state from the first task that knows the series; empty if none does within {@code
   *     bound}
   */
  public CompletableFuture<Optional<SeriesState>> ask(String ident, Duration bound)
      throws BusyException {
    Question question =
        new Question(ident, ConcurrentHashMap.newKeySet(), new CompletableFuture<>());
    question.unanswered.addAll(tasks);
    if (!open.compareAndSet(null, question)) {
      throw new BusyException();
    }
    if (question.unanswered.isEmpty()) {
      question.answer.complete(Optional.empty());
    }
    return question
        .answer
        .completeOnTimeout(Optional.empty(), bound.toMillis(), TimeUnit.MILLISECONDS)
        .whenComplete((state, never) -> open.set(null));
  }

  /** Adds a task that answers questions. */
  void join(Object task) {
    tasks.add(task);
  }

  void leave(Object task) {
    tasks.remove(task);
  }

  /**
   * Answers an open question, in the thread of a task.
   *
   * @param find finds the state of a series; returns null if the task does not know it
   */
  void answer(Object task, Function<String, SeriesState> find) {
    Question question = open.get();
    if (question == null || !question.unanswered.remove(task)) {
      return;
    }
    Optional<SeriesState> state = Optional.ofNullable(find.apply(question.ident));
    if (state.isPresent() || question.unanswered.isEmpty()) {
      question.answer.complete(state);
    }
  }
}
