package dev.rondo.topology.drops;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rondo.formats.DropReason;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class DropWarningsTest {
  private static final long NOW_MS = 1_700_000_000_000L;

  private final List<String> lines = new ArrayList<>();
  private final Drops drops = new Drops(new SimpleMeterRegistry(), new SetClock(NOW_MS));
  private final DropWarnings warnings = new DropWarnings(drops, lines::add);

  @Test
  void shouldLogNothingWithoutDrops() {
    warnings.emit(NOW_MS);
    warnings.close();
    assertThat(lines).isEmpty();
  }

  @Test
  void shouldLogAtMostOneLinePerMinuteAndReasonAndOmitNothing() {
    drops.count(DropReason.LATE, "cpu;host=web01", NOW_MS - 20_000, NOW_MS);
    warnings.emit(NOW_MS);
    assertThat(lines)
        .containsExactly(
            "points not stored: 1, late; the last: series 'cpu;host=web01' at"
                + " 2023-11-14T22:13:00Z, after one at 2023-11-14T22:13:20Z; more: GET"
                + " /drops?reason=late");
    lines.clear();

    for (int second = 1; second < 60; second++) {
      drops.count(DropReason.LATE, "s" + second, 1, 2);
      warnings.emit(NOW_MS + second * 1000L);
    }
    assertThat(lines).isEmpty();
    drops.count(DropReason.UNREADABLE, "not UTF-8: '?'", new RecordId("points", 3, 1_000_000));
    warnings.emit(NOW_MS + 59_999);
    assertThat(lines)
        .containsExactly(
            "points not stored: 1, unreadable; the last: not UTF-8: '?' (points-3@1000000);"
                + " more: GET /drops?reason=unreadable");
    lines.clear();

    warnings.emit(NOW_MS + 60_000);
    warnings.emit(NOW_MS + 3_600_000);
    assertThat(lines).hasSize(1).first().asString().startsWith("points not stored: 59, late;");
    lines.clear();

    drops.count(DropReason.LATE, "last", 1, 2);
    warnings.close();
    assertThat(lines).hasSize(1).first().asString().startsWith("points not stored: 1, late;");
  }
}
