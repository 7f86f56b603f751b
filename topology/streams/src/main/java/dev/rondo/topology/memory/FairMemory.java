package dev.rondo.topology.memory;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Divides an account between those who use it, such as sources, so that none of them can leave
 * nothing to the others. Safe to share between threads.
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
}
