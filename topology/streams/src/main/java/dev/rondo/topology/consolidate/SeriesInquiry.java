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
 * A question of another thread about a series, one at a time. The tasks answer it in their ticks,
 * because only their own thread may read their state. While nobody asks it costs a task nothing.
 * Thread-safe.
 */
public final class SeriesInquiry {
  /**
   * @param left tasks that have not answered
   */
  private record Asked(
      String ident, Set<Object> left, CompletableFuture<Optional<SeriesState>> answer) {}

  private final Set<Object> tasks = ConcurrentHashMap.newKeySet();
  private final AtomicReference<Asked> open = new AtomicReference<>();

  /** Another question is open. */
  public static final class BusyException extends Exception {
    private static final long serialVersionUID = 1L;
  }

  /**
   * Asks all tasks of this instance.
   *
   * @return what the first one knows that knows the series; empty if none does, or has answered
   *     within the bound
   */
  public CompletableFuture<Optional<SeriesState>> ask(String ident, Duration bound)
      throws BusyException {
    Asked asked = new Asked(ident, ConcurrentHashMap.newKeySet(), new CompletableFuture<>());
    asked.left.addAll(tasks);
    if (!open.compareAndSet(null, asked)) {
      throw new BusyException();
    }
    if (asked.left.isEmpty()) {
      asked.answer.complete(Optional.empty());
    }
    return asked
        .answer
        .completeOnTimeout(Optional.empty(), bound.toMillis(), TimeUnit.MILLISECONDS)
        .whenComplete((state, never) -> open.set(null));
  }

  /** A task answers from now on. */
  void join(Object task) {
    tasks.add(task);
  }

  /** A task no longer answers. */
  void leave(Object task) {
    tasks.remove(task);
  }

  /**
   * Answers an open question, in the thread of a task.
   *
   * @param find what the task knows of a series; null if nothing
   */
  void answer(Object task, Function<String, SeriesState> find) {
    Asked asked = open.get();
    if (asked == null || !asked.left.remove(task)) {
      return;
    }
    Optional<SeriesState> state = Optional.ofNullable(find.apply(asked.ident));
    if (state.isPresent() || asked.left.isEmpty()) {
      asked.answer.complete(state);
    }
  }
}
