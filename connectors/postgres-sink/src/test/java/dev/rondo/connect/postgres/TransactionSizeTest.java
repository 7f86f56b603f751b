package dev.rondo.connect.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class TransactionSizeTest {
  private static final List<Integer> PUT = List.of(1, 2, 3, 4, 5, 6, 7, 8);

  private final TransactionSize size = new TransactionSize();

  @Test
  void shouldTakeWholePut() {
    assertThat(size.cut(PUT)).containsExactly(PUT);
    assertThat(size.cut(List.of())).isEmpty();
  }

  @Test
  void shouldHalveDownToOne() {
    size.tooLarge(8);
    assertThat(size.cut(PUT)).containsExactly(List.of(1, 2, 3, 4), List.of(5, 6, 7, 8));
    for (int attempt = 0; attempt < 10; attempt++) {
      size.tooLarge(8);
    }
    assertThat(size.cut(PUT)).hasSize(8).startsWith(List.of(1), List.of(2));
  }

  @Test
  void shouldGrowToWholePutsAgain() {
    size.tooLarge(1);
    for (int put = 0; put < 1_000; put++) {
      size.succeeded();
    }
    assertThat(size.cut(PUT)).containsExactly(PUT);
  }
}
