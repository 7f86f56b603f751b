package dev.rondo.topology.consolidate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rondo.topology.memory.FairMemory;
import dev.rondo.topology.memory.MemoryAccount;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.processor.api.MockProcessorContext;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.Stores;
import org.junit.jupiter.api.Test;

class DeletedSeriesTest {
  private static final long KEPT_MS = DeletedSeries.KEPT.toMillis();

  private static KeyValueStore<String, Deletion> store() {
    KeyValueStore<String, Deletion> store =
        Stores.keyValueStoreBuilder(
                Stores.inMemoryKeyValueStore("deleted"), Serdes.String(), Deletion.SERDE)
            .withLoggingDisabled()
            .build();
    store.init(new MockProcessorContext<>().getStateStoreContext(), store);
    return store;
  }

  private static FairMemory memory(long maxBytes) {
    return new FairMemory(MemoryAccount.of(maxBytes));
  }

  @Test
  void shouldForgetADeletionWhenItIsOld() {
    MemoryAccount account = MemoryAccount.of(Long.MAX_VALUE);
    DeletedSeries deleted = new DeletedSeries(store(), new FairMemory(account).open());
    deleted.add("a", 1_000, "s");
    deleted.add("b", 2_000, "s");
    deleted.add("a", 500, "t");
    assertThat(deleted.covers("a", 1_000)).isTrue();
    assertThat(deleted.covers("a", 1_001)).isFalse();
    deleted.forgetOld(KEPT_MS + 1_000);
    assertThat(deleted.contains("a")).isTrue();
    deleted.forgetOld(KEPT_MS + 1_001);
    assertThat(deleted.contains("a")).isFalse();
    assertThat(deleted.contains("b")).isTrue();
    deleted.close();
    assertThat(account.bytes()).isZero();
  }

  @Test
  void shouldExtendOnlyWhatItRemembers() {
    DeletedSeries deleted = new DeletedSeries(store(), memory(Long.MAX_VALUE).open());
    deleted.add("a", 1_000, "s");
    deleted.extend("a", 2_000);
    deleted.extend("b", 2_000);
    assertThat(deleted.untilMs("a")).isEqualTo(2_000);
    assertThat(deleted.contains("b")).isFalse();
  }

  @Test
  void shouldForgetTheOlderHalfOfTheSourceWithTheMostWhileTheMemoryIsFull() {
    FairMemory memory = memory(10_000);
    KeyValueStore<String, Deletion> store = store();
    DeletedSeries deleted = new DeletedSeries(store, memory.open());
    deleted.add("other", 0, "few");
    for (int n = 0; n < 100; n++) {
      deleted.add("series" + n, 1_000 + n, "many");
    }
    assertThat(memory.isFull()).isTrue();
    deleted.forgetOld(2_000);
    assertThat(deleted.contains("series49")).isFalse();
    assertThat(deleted.contains("series50")).isTrue();
    assertThat(deleted.contains("other")).isTrue();
    assertThat(memory.isFull()).isFalse();

    deleted.close();
    MemoryAccount next = MemoryAccount.of(10_000);
    assertThat(new DeletedSeries(store, new FairMemory(next).open()).size()).isEqualTo(51);
    assertThat(next.bytes()).isPositive();
  }

  @Test
  void shouldForgetNothingWhereAnotherTaskHasTheMost() {
    FairMemory memory = memory(10_000);
    DeletedSeries here = new DeletedSeries(store(), memory.open());
    DeletedSeries there = new DeletedSeries(store(), memory.open());
    here.add("other", 0, "few");
    for (int n = 0; n < 100; n++) {
      there.add("series" + n, 1_000 + n, "many");
    }
    here.forgetOld(2_000);
    assertThat(here.contains("other")).isTrue();
  }

  /** An earlier version remembered no source. */
  @Test
  void shouldReadADeletionWithoutASource() {
    byte[] bytes = Serdes.Long().serializer().serialize("", 1_000L);
    assertThat(Deletion.SERDE.deserializer().deserialize("", bytes))
        .isEqualTo(new Deletion(1_000, ""));
  }
}
