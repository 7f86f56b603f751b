package dev.rondo.topology.consolidate;

import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;

/**
 * A question of another thread about a series, one at a time. The tasks answer it in their ticks,
 * because only their thread may look at their state: it costs a task nothing while nobody asks.
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

  /** Another thread is asking. */
  public static final class BusyException extends Exception {
    private static final long serialVersionUID = 1L;
  }

  /**
   * Asks all tasks of this instance.
   *
   * @return what the first one knows that knows the series; empty if none does, or has answered in
   *     time
   */
  public Optional<SeriesState> ask(String ident, Duration bound)
      throws BusyException, InterruptedException {
    Set<Object> left = ConcurrentHashMap.newKeySet();
    left.addAll(tasks);
    Asked asked = new Asked(ident, left, new CompletableFuture<>());
    if (!open.compareAndSet(null, asked)) {
      throw new BusyException();
    }
    try {
      return left.isEmpty()
          ? Optional.empty()
          : asked.answer.get(bound.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      return Optional.empty();
    } catch (ExecutionException e) {
      throw new IllegalStateException(e); // never: nothing completes it with a failure
    } finally {
      open.set(null);
    }
  }

  /** A task answers from now on. */
  void join(Object task) {
    tasks.add(task);
  }

  /** A task does not answer any more. */
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
