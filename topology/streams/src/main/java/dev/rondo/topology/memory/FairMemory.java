package dev.rondo.topology.memory;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Divides an account between those who use it, such as sources, so that none of them can leave
 * nothing to the others. State is refused to a user whose part is full ({@link #of}); buffers may
 * fill the account, and are evicted of users with more than their part ({@link #exceeds}). Safe to
 * share between threads.
 */
public final class FairMemory {
  private static final long TIMES_FREE = 2;

  private final MemoryAccount all;
  private final Map<String, MemoryAccount> parts = new ConcurrentHashMap<>();

  public FairMemory(MemoryAccount all) {
    this.all = all;
  }

  /** The part of a user: full when it uses more than twice what all users leave free. */
  public MemoryAccount of(String user) {
    return parts.computeIfAbsent(user, name -> all.part(name, TIMES_FREE));
  }

  /** Opens the empty shares of a task. */
  public FairShares open() {
    return new FairShares(this);
  }

  /** Whether the account is full. */
  public boolean isFull() {
    return all.isFull();
  }

  /**
   * Whether the account is full, and would be even if no user had more than this one. While it is
   * full, that is true of at least the user with the most.
   *
   * @param share of a part
   */
  public boolean exceeds(MemoryShare share) {
    if (!all.isFull()) {
      return false;
    }
    MemoryAccount own = share.account();
    long ownBytes = own.bytes();
    long total = 0;
    long capped = 0;
    for (MemoryAccount part : parts.values()) {
      long bytes = part == own ? ownBytes : part.bytes();
      total += bytes;
      capped += Math.min(bytes, ownBytes);
    }
    return capped >= Math.min(total, all.maxBytes());
  }
}
