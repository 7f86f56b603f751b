package dev.rondo.topology.memory;

import java.util.HashMap;
import java.util.Map;

/** Shares of one task in a {@link FairMemory}, by user. Not safe to share between threads. */
public final class FairShares implements AutoCloseable {
  private final FairMemory memory;
  private final Map<String, MemoryShare> shares = new HashMap<>();

  FairShares(FairMemory memory) {
    this.memory = memory;
  }

  public MemoryShare of(String user) {
    return shares.computeIfAbsent(user, name -> memory.of(name).open());
  }

  /** Whether the account of the instance is full. */
  public boolean isFull() {
    return memory.isFull();
  }

  /** Whether no heap is left for the account of the instance. */
  public boolean isOutOfBytes() {
    return memory.isOutOfBytes();
  }

  public boolean exceeds(MemoryShare share) {
    return memory.exceeds(share);
  }

  /** Returns all memory; a second call has no effect. */
  @Override
  public void close() {
    shares.values().forEach(MemoryShare::close);
  }
}
