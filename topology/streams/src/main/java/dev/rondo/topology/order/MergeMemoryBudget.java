package dev.rondo.topology.order;

import dev.rondo.schemas.Point;
import dev.rondo.topology.memory.MemoryAccount;
import dev.rondo.topology.memory.MemoryBudget;

/**
 * Counts what waits in all tasks of an instance, so that it does not take its heap. Safe to share
 * between threads.
 */
public final class MergeMemoryBudget {
  /** Heap of a batch and of each of its points beside the ident, bytes, with what is written. */
  private static final long BATCH_BYTES = 256;

  private static final long POINT_BYTES = 200;

  /** An ident is there as a text, and as written. */
  private static final int IDENTS = 2;

  private final MemoryAccount account;

  private MergeMemoryBudget(MemoryAccount account) {
    this.account = account;
  }

  /** Nothing waits; what may is for the account to say. */
  public static MergeMemoryBudget of(MemoryAccount account) {
    return new MergeMemoryBudget(account);
  }

  /** Nothing waits; the heap is its bound. */
  public static MergeMemoryBudget ofHeap() {
    return of(MemoryBudget.ofHeap(0).merge());
  }

  /** Nothing waits; for so many batches of one point with a short ident. */
  public static MergeMemoryBudget of(long points) {
    return of(MemoryAccount.of(points * (BATCH_BYTES + POINT_BYTES + IDENTS * 20) + 1));
  }

  /** Returns how many bytes the batch takes. */
  long take(Batch batch) {
    long bytes = bytes(batch);
    account.add(batch.points().size(), bytes);
    return bytes;
  }

  /** Returns how many bytes the batch gives. */
  long give(Batch batch) {
    long bytes = bytes(batch);
    give(batch.points().size(), bytes);
    return bytes;
  }

  /** So many leave together. */
  void give(long points, long bytes) {
    account.add(-points, -bytes);
  }

  private static long bytes(Batch batch) {
    long bytes = BATCH_BYTES;
    for (Point point : batch.points()) {
      bytes += POINT_BYTES + IDENTS * (long) point.getIdent().length();
    }
    return bytes;
  }

  boolean isOverfull() {
    return account.isFull();
  }

  boolean isHalfFull() {
    return account.isHalfFull();
  }

  /** How many points wait. */
  public long points() {
    return account.entries();
  }
}
