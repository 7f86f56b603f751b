package dev.rondo.topology.memory;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
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

  /** Only this one. */
  private final List<FairMemory> alone = List.of(this);

  /** Those with which it shares the bound of the account's parent, and itself. */
  private final List<FairMemory> underParent;

  /** Of an account whose users have no part in others under the same parent. */
  public FairMemory(MemoryAccount all) {
    this.all = all;
    this.underParent = alone;
  }

  private FairMemory(MemoryAccount all, List<FairMemory> underParent) {
    this.all = all;
    this.underParent = underParent;
  }

  /** Of accounts under one parent, in their order. */
  static List<FairMemory> of(MemoryAccount... accounts) {
    List<FairMemory> memories = new ArrayList<>();
    for (MemoryAccount account : accounts) {
      memories.add(new FairMemory(account, memories));
    }
    return memories;
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

  /** Whether no heap is left for the account; one that is full of entries may have some. */
  boolean isOutOfBytes() {
    return all.freeBytes() == 0;
  }

  /**
   * Whether a bound is reached, and would be even if no user had more than this one: the bound of
   * the account, or that of its parent by what users have in all accounts under it. While a bound
   * is reached, that is true of at least the user with the most.
   *
   * @param share of a part
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
