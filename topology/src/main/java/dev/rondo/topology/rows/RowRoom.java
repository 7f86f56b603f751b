package dev.rondo.topology.rows;

/** Room for the waiting rows of all segments of a task. Not safe to share between threads. */
public final class RowRoom {
  private long freeBytes;

  /**
   * All of it free.
   *
   * @param bytes of values
   */
  public RowRoom(long bytes) {
    this.freeBytes = bytes;
  }

  boolean isFull() {
    return freeBytes <= 0;
  }

  /** Takes the room of a row of so many positions. */
  void take(int width) {
    freeBytes -= (long) width * Double.BYTES;
  }

  void give(int width) {
    freeBytes += (long) width * Double.BYTES;
  }
}
