package dev.rondo.topology.memory;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Counts the heap that all tasks of an instance use for one purpose. Several accounts may share the
 * bound of a parent. Safe to share between threads; each task counts in its own {@link
 * MemoryShare}.
 */
public final class MemoryAccount {
  private final String name;
  private final long maxBytes;
  private final long maxEntries;
  private final MemoryAccount parent;
  private final long timesFree;
  private final AtomicLong bytes = new AtomicLong();
  private final AtomicLong entries = new AtomicLong();

  MemoryAccount(String name, long maxBytes, long maxEntries, MemoryAccount parent) {
    this(name, maxBytes, maxEntries, parent, 0);
  }

  /**
   * @param timesFree limit of this account as a multiple of what {@code parent} has left; 0 = none
   */
  private MemoryAccount(
      String name, long maxBytes, long maxEntries, MemoryAccount parent, long timesFree) {
    this.name = name;
    this.maxBytes = maxBytes;
    this.maxEntries = maxEntries;
    this.parent = parent;
    this.timesFree = timesFree;
  }

  /**
   * Creates a part of this account that may use {@code timesFree} times what all leave free. With
   * 2, one user gets two thirds, two users get two fifths each, and some is left for the next.
   */
  MemoryAccount part(String user, long timesFree) {
    return new MemoryAccount(user, Long.MAX_VALUE, Long.MAX_VALUE, this, timesFree);
  }

  /** Creates an account without a parent. */
  public static MemoryAccount of(long maxBytes) {
    return new MemoryAccount("", maxBytes, Long.MAX_VALUE, null);
  }

  /** Creates an account without a parent, bounded by entries. */
  public static MemoryAccount ofEntries(long maxEntries) {
    return new MemoryAccount("", Long.MAX_VALUE, maxEntries, null);
  }

  /** Opens the empty share of a task. */
  public MemoryShare open() {
    return new MemoryShare(this);
  }

  /** Adds entries and bytes; negative numbers subtract. */
  public void add(long moreEntries, long moreBytes) {
    entries.addAndGet(moreEntries);
    bytes.addAndGet(moreBytes);
    if (parent != null) {
      parent.add(moreEntries, moreBytes);
    }
  }

  /** Whether this account or its parent has reached its bound, or this one its fair part. */
  public boolean isFull() {
    return isAtBound()
        || (parent != null && parent.isFull())
        || (timesFree > 0 && bytes.get() / timesFree > parent.freeBytes());
  }

  /** Whether this account alone has reached its bound. */
  boolean isAtBound() {
    return bytes.get() >= maxBytes || entries.get() >= maxEntries;
  }

  /** Account whose bound also applies to this one; null if none. */
  MemoryAccount parent() {
    return parent;
  }

  /** Bytes that may be added before this account or its parent is full. */
  public long freeBytes() {
    long free = Math.max(0, maxBytes - bytes.get());
    return parent == null ? free : Math.min(free, parent.freeBytes());
  }

  public String name() {
    return name;
  }

  public long bytes() {
    return bytes.get();
  }

  public long maxBytes() {
    return maxBytes;
  }

  public long entries() {
    return entries.get();
  }
}
