package dev.rondo.topology.memory;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Divides an account fairly among its users, such as sources. A user whose part is full gets no
 * more state ({@link #of}). Buffers may fill the account; those of users that exceed their part are
 * evicted ({@link #exceeds}). Safe to share between threads.
 */
public final class FairMemory {
  private static final long TIMES_FREE = 2;

  private final MemoryAccount all;
  private final Map<String, MemoryAccount> parts = new ConcurrentHashMap<>();

  /** Only this memory. */
  private final List<FairMemory> alone = List.of(this);

  /** All memories that share the bound of the account's parent, with this one. */
  private final List<FairMemory> underParent;

  /** Divides an account whose users have no part in other accounts of its parent. */
  public FairMemory(MemoryAccount all) {
    this.all = all;
    this.underParent = alone;
  }

  private FairMemory(MemoryAccount all, List<FairMemory> underParent) {
    this.all = all;
    this.underParent = underParent;
  }

  /** Divides accounts of one parent; returns one memory for each, in order. */
  static List<FairMemory> of(MemoryAccount... accounts) {
    List<FairMemory> memories = new ArrayList<>();
    for (MemoryAccount account : accounts) {
      memories.add(new FairMemory(account, memories));
    }
    return memories;
  }

  /**
   * Returns the part of a user, which is full when it uses more than twice what all users leave
   * free.
   */
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

  /** Whether no heap is left for the account; one that is full of entries may have some. */
  boolean isOutOfBytes() {
    return all.freeBytes() == 0;
  }

  /**
   * Whether a user exceeds its part: a bound is reached, and would be reached even if no user had
   * more than this one. It applies to the bound of the account, and to that of its parent with all
   * its accounts. If a bound is reached, at least the largest user exceeds its part.
   *
   * @param share share of the part of the user
   */
  public boolean exceeds(MemoryShare share) {
    String user = share.account().name();
    return exceeds(user, alone, all)
        || (all.parent() != null && exceeds(user, underParent, all.parent()));
  }

  private static boolean exceeds(String user, List<FairMemory> memories, MemoryAccount bound) {
    if (!bound.isAtBound()) {
      return false;
    }
    Map<String, Long> used = new HashMap<>();
    for (FairMemory memory : memories) {
      memory.parts.forEach((name, part) -> used.merge(name, part.bytes(), Long::sum));
    }
    long own = used.getOrDefault(user, 0L);
    long total = used.values().stream().mapToLong(bytes -> bytes).sum();
    long capped = used.values().stream().mapToLong(bytes -> Math.min(bytes, own)).sum();
    return capped >= Math.min(total, bound.maxBytes());
  }
}
