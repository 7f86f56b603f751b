package dev.rondo.topology.memory;

/** Share of one task in a {@link MemoryAccount}. Not safe to share between threads. */
public final class MemoryShare implements AutoCloseable {
  private final MemoryAccount account;
  private long entries;
  private long bytes;

  MemoryShare(MemoryAccount account) {
    this.account = account;
  }

  /** Adds entries and bytes; negative numbers subtract. */
  public void add(long moreEntries, long moreBytes) {
    entries += moreEntries;
    bytes += moreBytes;
    account.add(moreEntries, moreBytes);
  }

  /** Whether the account of the instance is full. */
  public boolean isFull() {
    return account.isFull();
  }

  /** Bytes that may be added before the account of the instance is full. */
  public long freeBytes() {
    return account.freeBytes();
  }

  /** Bytes that all tasks of the instance use. */
  public long bytesOfAll() {
    return account.bytes();
  }

  MemoryAccount account() {
    return account;
  }

  /** Returns all memory; a second call has no effect. */
  @Override
  public void close() {
    add(-entries, -bytes);
  }
}
