package dev.rondo.topology.commit;

import java.util.Map;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.streams.processor.StateStore;
import org.apache.kafka.streams.processor.StateStoreContext;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.internals.InternalProcessorContext;
import org.apache.kafka.streams.processor.internals.ProcessorNode;
import org.apache.kafka.streams.state.StoreBuilder;

/**
 * A store that holds nothing: lets its processor forward what it has gathered before the offsets of
 * that are committed.
 */
public final class CommitHook implements BeforeCommit {
  private final String name;
  private Runnable task = () -> {};
  private boolean isOpen;

  private CommitHook(String name) {
    this.name = name;
  }

  /** Of a processor. */
  public static StoreBuilder<CommitHook> builder(String name) {
    return new Builder(name);
  }

  /** Runs the task, which may forward, before each commit; to be told when a processor begins. */
  public void run(ProcessorContext<?, ?> context, Runnable task) {
    if (!(context instanceof InternalProcessorContext<?, ?> internal)) {
      throw new IllegalArgumentException("%s is no context of Streams".formatted(context));
    }
    ProcessorNode<?, ?, ?, ?> own = internal.currentNode();
    this.task =
        () -> {
          ProcessorNode<?, ?, ?, ?> before = internal.currentNode();
          internal.setCurrentNode(own); // by which Streams knows where to forward to
          try {
            task.run();
          } finally {
            internal.setCurrentNode(before);
          }
        };
  }

  @Override
  public void flushCache() {
    task.run();
  }

  @Override
  public void clearCache() {
    task = () -> {};
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public void init(StateStoreContext context, StateStore root) {
    context.register(root, (key, value) -> {});
    isOpen = true;
  }

  @Override
  public void commit(Map<TopicPartition, Long> changelogOffsets) {}

  @Override
  public void close() {
    isOpen = false;
  }

  @Override
  public boolean persistent() {
    return false;
  }

  @Override
  public boolean isOpen() {
    return isOpen;
  }

  private record Builder(String name) implements StoreBuilder<CommitHook> {
    @Override
    public CommitHook build() {
      return new CommitHook(name);
    }

    @Override
    public StoreBuilder<CommitHook> withCachingEnabled() {
      throw new UnsupportedOperationException(name + " holds nothing");
    }

    @Override
    public StoreBuilder<CommitHook> withCachingDisabled() {
      return this;
    }

    @Override
    public StoreBuilder<CommitHook> withLoggingEnabled(Map<String, String> config) {
      throw new UnsupportedOperationException(name + " holds nothing");
    }

    @Override
    public StoreBuilder<CommitHook> withLoggingDisabled() {
      return this;
    }

    @Override
    public Map<String, String> logConfig() {
      return Map.of();
    }

    @Override
    public boolean loggingEnabled() {
      return false;
    }
  }
}
