package dev.rondo.testbed;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicInteger;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.lifecycle.AfterContainer;

class TriesPercentPropertyTest {
  private static final AtomicInteger TRIES = new AtomicInteger();

  @Property(tries = 400)
  void shouldCount(@ForAll long seed) {
    TRIES.incrementAndGet();
  }

  @AfterContainer
  static void shouldHaveTriedTheShare() {
    int percent = Integer.getInteger("rondo.tries.percent", 100);
    assertThat(TRIES.get()).isEqualTo(TriesPercent.scaled(400, percent));
  }
}
