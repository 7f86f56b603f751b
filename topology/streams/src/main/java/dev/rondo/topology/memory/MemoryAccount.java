package dev.rondo.topology.memory;

import java.util.concurrent.atomic.AtomicLong;

/**
 * What all tasks of an instance hold of one kind, counted in bytes of heap. It may be one of
 * several that have a bound together. Safe to share between threads; a task counts in a {@link
 * MemoryShare} of it.
 */
public final class MemoryAccount {
  private final String name;
  private final long mostBytes;
  private final long mostEntries;
  private final MemoryAccount together;
  private final AtomicLong bytes = new AtomicLong();
  private final AtomicLong entries = new AtomicLong();

  MemoryAccount(String name, long mostBytes, long mostEntries, MemoryAccount together) {
    this.name = name;
    this.mostBytes = mostBytes;
    this.mostEntries = mostEntries;
    this.together = together;
  }

  /** An account by itself. */
  public static MemoryAccount of(long mostBytes) {
    return new MemoryAccount("", mostBytes, Long.MAX_VALUE, null);
  }

  /** An account by itself of so many entries. */
  public static MemoryAccount ofEntries(long mostEntries) {
    return new MemoryAccount("", Long.MAX_VALUE, mostEntries, null);
  }

  /** A task's part of it, which is nothing yet. */
  public MemoryShare open() {
    return new MemoryShare(this);
  }

  /** So much more is held; less where negative. */
  public void add(long moreEntries, long moreBytes) {
    entries.addAndGet(moreEntries);
    bytes.addAndGet(moreBytes);
    if (together != null) {
      together.add(moreEntries, moreBytes);
    }
  }

  /** Whether nothing more should be held. */
  public boolean isFull() {
    return bytes.get() >= mostBytes
        || entries.get() >= mostEntries
        || (together != null && together.isFull());
  }

  public boolean isHalfFull() {
    return bytes.get() >= mostBytes / 2
        || entries.get() >= mostEntries / 2
        || (together != null && together.isHalfFull());
  }

  public String name() {
    return name;
  }

  public long bytes() {
    return bytes.get();
  }

  public long mostBytes() {
    return mostBytes;
  }

  public long entries() {
    return entries.get();
  }
}
