package dev.rondo.topology.consolidate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rondo.topology.memory.MemoryAccount;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.processor.api.MockProcessorContext;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.Stores;
import org.junit.jupiter.api.Test;

class DeletedSeriesTest {
  private static final long KEPT_MS = DeletedSeries.KEPT.toMillis();

  private static KeyValueStore<String, Long> store() {
    KeyValueStore<String, Long> store =
        Stores.keyValueStoreBuilder(
                Stores.inMemoryKeyValueStore("deleted"), Serdes.String(), Serdes.Long())
            .withLoggingDisabled()
            .build();
    store.init(new MockProcessorContext<>().getStateStoreContext(), store);
    return store;
  }

  @Test
  void shouldForgetADeletionWhenItIsOld() {
    MemoryAccount memory = MemoryAccount.of(Long.MAX_VALUE);
    DeletedSeries deleted = new DeletedSeries(store(), memory.open());
    deleted.add("a", 1_000);
    deleted.add("b", 2_000);
    deleted.add("a", 500);
    assertThat(deleted.covers("a", 1_000)).isTrue();
    assertThat(deleted.covers("a", 1_001)).isFalse();
    deleted.forgetOld(KEPT_MS + 1_000);
    assertThat(deleted.contains("a")).isTrue();
    deleted.forgetOld(KEPT_MS + 1_001);
    assertThat(deleted.contains("a")).isFalse();
    assertThat(deleted.contains("b")).isTrue();
    deleted.close();
    assertThat(memory.bytes()).isZero();
  }

  @Test
  void shouldForgetTheOlderHalfWhileTheMemoryIsFull() {
    MemoryAccount memory = MemoryAccount.of(10_000);
    KeyValueStore<String, Long> store = store();
    DeletedSeries deleted = new DeletedSeries(store, memory.open());
    for (int n = 0; n < 100; n++) {
      deleted.add("series" + n, 1_000 + n);
    }
    assertThat(memory.isFull()).isTrue();
    deleted.forgetOld(2_000);
    assertThat(deleted.contains("series49")).isFalse();
    assertThat(deleted.contains("series50")).isTrue();
    assertThat(memory.isFull()).isFalse();

    deleted.close();
    MemoryAccount next = MemoryAccount.of(10_000);
    assertThat(new DeletedSeries(store, next.open()).size()).isEqualTo(50);
    assertThat(next.bytes()).isPositive();
  }
}
