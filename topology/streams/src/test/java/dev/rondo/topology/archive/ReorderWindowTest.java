package dev.rondo.topology.archive;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ReorderWindowTest {
  private static final long NEVER = Long.MIN_VALUE;

  private final List<String> released = new ArrayList<>();
  private final ReorderWindow window = new ReorderWindow(10_000, false, 2);

  private void target(int series, long tMs, double value) {
    released.add(series + "@" + tMs + "=" + value);
  }

  private Verdict add(long tMs, double value, long lateMs) {
    return window.add(1, tMs, value, lateMs, this::target);
  }

  @Test
  void shouldReleaseInOrderOnceTheWindowHasPassed() {
    add(5_000, 1, NEVER);
    add(3_000, 2, NEVER);
    add(12_999, 3, NEVER);
    assertThat(released).isEmpty();
    add(15_000, 4, NEVER);
    assertThat(released).containsExactly("1@3000=2.0", "1@5000=1.0");
    assertThat(window.buffered(1)).isEqualTo(2);
    assertThat(window.newestMs(1)).isEqualTo(15_000);
    assertThat(window.buffered(0)).isZero();
  }

  @Test
  void shouldReturnTheVerdictOfEachPoint() {
    assertThat(add(5_000, 1, NEVER)).isEqualTo(Verdict.BUFFERED);
    assertThat(add(5_000, 2, NEVER)).isEqualTo(Verdict.DUPLICATE);
    assertThat(add(20_000, 3, NEVER)).isEqualTo(Verdict.BUFFERED);
    assertThat(released).containsExactly("1@5000=1.0");
    assertThat(add(5_000, 4, 5_000)).isEqualTo(Verdict.LATE);
    assertThat(add(5_001, 5, 5_000))
        .as("older than the window, but in order")
        .isEqualTo(Verdict.BUFFERED);
    assertThat(released).endsWith("1@5001=5.0");
  }

  @Test
  void shouldLetTheLastToArriveWinInWhisperMode() {
    ReorderWindow whisper = new ReorderWindow(10_000, true, 1);
    whisper.add(0, 5_000, 1, NEVER, this::target);
    whisper.add(0, 5_000, 2, NEVER, this::target);
    whisper.releaseSilent(0, 5_000, this::target);
    assertThat(released).containsExactly("0@5000=1.0", "0@5000=2.0");
  }

  @Test
  void shouldReleaseAtOnceWithoutAWindow() {
    ReorderWindow none = new ReorderWindow(0, false, 1);
    none.add(0, 5_000, 1, NEVER, this::target);
    none.add(0, 4_000, 2, 5_000, this::target);
    assertThat(released).containsExactly("0@5000=1.0", "0@4000=2.0");
    assertThat(none.buffered(0)).isZero();
  }

  @Test
  void shouldReleaseASilentSeriesAndForgetAnother() {
    add(5_000, 1, NEVER);
    add(6_000, 2, NEVER);
    window.add(0, 1_000, 3, NEVER, this::target);
    window.releaseSilent(1, 5_000, this::target);
    assertThat(released).containsExactly("1@5000=1.0");
    window.forget(0);
    window.releaseSilent(0, 9_000, this::target);
    window.releaseSilent(1, 9_000, this::target);
    assertThat(released).containsExactly("1@5000=1.0", "1@6000=2.0");
    assertThat(window.buffered(0)).isZero();
    assertThat(window.buffered(1)).isZero();
    assertThat(window.newestMs(1)).isEqualTo(NEVER);
  }

  @Test
  void shouldReleaseTheOldestWhenFullAndStayWithinItsBytes() throws IOException {
    int width = 116;
    ReorderWindow full = new ReorderWindow(Integer.MAX_VALUE, false, width);
    int each = 0;
    while (full.add(0, each, each, NEVER, this::target) == Verdict.BUFFERED) {
      each++;
    }
    assertThat(each).isEqualTo(564);
    assertThat(released).containsExactly("0@0=0.0");
    assertThat(full.buffered(0)).isEqualTo(each);
    for (int series = 1; series < width; series++) {
      for (int n = 0; n < each; n++) {
        assertThat(full.add(series, n, n, NEVER, this::target)).isEqualTo(Verdict.BUFFERED);
      }
    }
    assertThat(bytes(full).length).isBetween(1_000_000, 1 << 20);
  }

  @Test
  void shouldSurviveBeingWrittenAndRead() throws IOException {
    add(5_000, 1, NEVER);
    add(3_000, 2, NEVER);
    ReorderWindow read = new ReorderWindow(0, false, 2);
    ReorderWindowCodec.read(read, new DataInputStream(new ByteArrayInputStream(bytes(window))));
    assertThat(read.buffered(1)).isEqualTo(2);
    read.add(1, 7_000, 3, NEVER, this::target);
    assertThat(released)
        .as("the policy no longer has a window")
        .containsExactly("1@3000=2.0", "1@5000=1.0", "1@7000=3.0");
  }

  private static byte[] bytes(ReorderWindow window) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    ReorderWindowCodec.write(window, new DataOutputStream(bytes));
    return bytes.toByteArray();
  }
}
