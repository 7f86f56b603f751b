package dev.rondo.topology.memory;

/** What one task holds of a {@link MemoryAccount}. Not safe to share between threads. */
public final class MemoryShare implements AutoCloseable {
  private final MemoryAccount account;
  private long entries;
  private long bytes;

  MemoryShare(MemoryAccount account) {
    this.account = account;
  }

  /** So much more is held; less where negative. */
  public void add(long moreEntries, long moreBytes) {
    entries += moreEntries;
    bytes += moreBytes;
    account.add(moreEntries, moreBytes);
  }

  /** Whether the instance should hold nothing more of this. */
  public boolean isFull() {
    return account.isFull();
  }

  public long bytes() {
    return bytes;
  }

  /** Gives back all that is held; a second time, nothing. */
  @Override
  public void close() {
    add(-entries, -bytes);
  }
}
