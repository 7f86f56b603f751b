package dev.rondo.topology.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.Test;

class MemoryBudgetTest {
  private static final long HEAP = 3_200;

  private final MemoryBudget budget = MemoryBudget.of(HEAP, 0);

  @Test
  void shouldBeFullWhenSeriesAndDefinitionsUseHalfOfTheHeap() {
    budget.definitions().add(1, 600);
    budget.series().add(1, 999);
    assertThat(budget.series().isFull()).isFalse();
    budget.series().add(1, 1);
    assertThat(budget.series().isFull()).isTrue();
    assertThat(budget.definitions().isFull()).isTrue();
    assertThat(budget.merge().isFull()).as("buffers have a separate bound").isFalse();
  }

  @Test
  void shouldLeaveMemoryForTheMergeWhateverOtherBuffersUse() {
    budget.reorder().add(1, HEAP / 8);
    budget.rows().add(1, HEAP / 32);
    assertThat(budget.reorder().isFull()).isTrue();
    assertThat(budget.rows().isFull()).isTrue();
    assertThat(budget.merge().isFull()).isFalse();
    budget.merge().add(1, HEAP / 4 - HEAP / 8 - HEAP / 32);
    assertThat(budget.merge().isFull()).isTrue();
  }

  @Test
  void shouldCountSeriesIfTheirNumberIsLimited() {
    MemoryBudget two = MemoryBudget.of(HEAP, 2);
    two.series().add(2, 2);
    assertThat(two.series().isFull()).isTrue();
    assertThat(two.definitions().isFull()).isFalse();
  }

  @Test
  void shouldReturnTheMemoryOfATaskOnce() {
    MemoryShare share = budget.merge().open();
    share.add(3, 300);
    share.add(-1, -100);
    budget.merge().add(1, 50);
    share.close();
    share.close();
    assertThat(budget.merge().bytes()).isEqualTo(50);
    assertThat(budget.merge().entries()).isEqualTo(1);
  }

  @Test
  void shouldExportUsedAndMaximumMemory() {
    SimpleMeterRegistry registry = new SimpleMeterRegistry();
    budget.bindTo(registry);
    budget.rows().add(1, 7);
    assertThat(registry.get("rondo.memory.bytes").tag("account", "rows").gauge().value())
        .isEqualTo(7);
    assertThat(registry.get("rondo.memory.max.bytes").tag("account", "series").gauge().value())
        .isEqualTo(HEAP / 2);
  }
}
