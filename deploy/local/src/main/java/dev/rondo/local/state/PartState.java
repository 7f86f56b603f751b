package dev.rondo.local.state;

import java.time.Instant;

/**
 * State of one part in {@code rondo status}.
 *
 * @param state {@code starting}, {@code running}, {@code down} (about to be restarted), {@code
 *     stopped} (by the user), or {@code paused} (the sink, by Connect's REST API)
 * @param pid null if it does not run, or for the sink, which runs inside Connect
 * @param started start time of pid, ISO 8601
 * @param at URL or host:port; null if it serves nothing
 * @param restarts number of restarts
 * @param since when {@code state} began, ISO 8601
 * @param log its log file
 * @param error why it ended or failed; null while it runs, or if unknown
 */
public record PartState(
    String state,
    Long pid,
    String started,
    String at,
    int restarts,
    String since,
    String log,
    String error) {
  public static final String STARTING = "starting";
  public static final String RUNNING = "running";
  public static final String DOWN = "down";
  public static final String STOPPED = "stopped";
  public static final String PAUSED = "paused";

  /**
   * Returns a state that begins now.
   *
   * @param process null without a process
   */
  public static PartState now(
      String state, ProcessId process, String at, int restarts, String log) {
    String since = Instant.now().toString();
    return process == null
        ? new PartState(state, null, null, at, restarts, since, log, null)
        : new PartState(state, process.pid(), process.started(), at, restarts, since, log, null);
  }

  /** Returns the state with the reason why the part ended or failed. */
  public PartState because(String reason) {
    return new PartState(state, pid, started, at, restarts, since, log, reason);
  }

  /** Returns the process; null without one. */
  public ProcessId process() {
    return pid == null ? null : new ProcessId(pid, started);
  }

  public boolean runs() {
    return state.equals(RUNNING) && (pid == null || process().isAlive());
  }
}
