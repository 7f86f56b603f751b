package dev.rondo.history.job;

/**
 * How far a job is.
 *
 * @param phase what it does
 * @param read records read
 * @param recordsPerSecond read lately
 * @param slots values of series that were written
 * @param rows rows that were written
 * @param notes what was left out, for people; empty = nothing
 * @param updatedMs when this was written, epoch ms
 */
record JobState(
    Phase phase,
    long read,
    double recordsPerSecond,
    long slots,
    long rows,
    String notes,
    long updatedMs) {
  /** What a job does. */
  enum Phase {
    WAITING,
    READING,
    WRITING,
    CLEARING,
    /** All is written, or the job is cancelled: it deletes its topics. */
    ENDING,
    DONE,
    CANCELLED
  }

  static final JobState NEW = new JobState(Phase.WAITING, 0, 0, 0, 0, "", 0);

  /** The same in another phase. */
  JobState in(Phase other) {
    return new JobState(
        other, read, recordsPerSecond, slots, rows, notes, System.currentTimeMillis());
  }

  /** The same with another note; empty = none. */
  JobState with(String note) {
    String all = notes.isEmpty() || note.isEmpty() ? notes + note : notes + "; " + note;
    return new JobState(
        phase, read, recordsPerSecond, slots, rows, all, System.currentTimeMillis());
  }

  boolean isOver() {
    return phase == Phase.DONE || phase == Phase.CANCELLED;
  }
}
