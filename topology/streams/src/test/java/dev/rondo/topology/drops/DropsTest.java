package dev.rondo.topology.drops;

import static dev.rondo.formats.DropReason.LATE;
import static dev.rondo.formats.DropReason.NO_POLICY;
import static dev.rondo.formats.DropReason.UNREADABLE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.rondo.formats.DropReason;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;

class DropsTest {
  private static final long NOW_MS = 1_700_000_000_000L;

  private final SetClock clock = new SetClock(NOW_MS);
  private final Drops drops = new Drops(new SimpleMeterRegistry(), clock);

  @Test
  void shouldReportTheLastDropOfEachSeriesNewestFirst() {
    drops.count(LATE, "a", 10, 20);
    drops.count(LATE, "b", 11, 21);
    clock.nowMs.addAndGet(5);
    drops.count(LATE, "a", 12, 22);
    drops.count(NO_POLICY, "c", 13);

    assertThat(drops.total(LATE)).isEqualTo(3);
    assertThat(idents(LATE)).containsExactly("a", "b");
    RecentDrop newest = drops.newestFirst(LATE).get(0);
    assertThat(newest.points()).isEqualTo(2);
    assertThat(newest.seenMs()).isEqualTo(NOW_MS + 5);
    assertThat(newest.last().tMs()).hasValue(12);
    assertThat(newest.last().previousMs()).hasValue(22);
    assertThat(idents(NO_POLICY)).containsExactly("c");
    assertThat(drops.newestFirst(NO_POLICY).get(0).last().previousMs()).isEmpty();
    assertThat(drops.newestFirst(UNREADABLE)).isEmpty();
  }

  @Test
  void shouldGroupUnreadableDropsByErrorAndPartition() {
    drops.count(UNREADABLE, "not UTF-8", new RecordId("points", 0, 7));
    drops.count(UNREADABLE, "not UTF-8", new RecordId("points", 1, 8));
    drops.count(UNREADABLE, "not UTF-8", new RecordId("points", 0, 9));
    drops.count(UNREADABLE, "no name", new RecordId("points", 0, 9));

    assertThat(drops.newestFirst(UNREADABLE))
        .extracting(drop -> drop.last().detail(), drop -> drop.last().record().offset())
        .containsExactly(tuple("no name", 9L), tuple("not UTF-8", 9L), tuple("not UTF-8", 8L));
    assertThat(drops.newestFirst(UNREADABLE)).extracting(RecentDrop::points).contains(2L);
  }

  @Test
  void shouldKeepTheLastHundredSeries() {
    for (int n = 0; n < 250; n++) {
      drops.count(LATE, "s" + n, n, n + 1);
    }
    drops.count(LATE, "s150", 1, 2); // the oldest that is left
    drops.count(LATE, "new", 1, 2);

    assertThat(idents(LATE)).hasSize(100).startsWith("new", "s150", "s249").endsWith("s152");
    assertThat(drops.total(LATE)).isEqualTo(252);
  }

  @Test
  void shouldCountEveryPointOfAFloodAndSampleSome() {
    int flood = 2_000_000;
    for (int n = 0; n < flood; n++) {
      drops.count(LATE, n % 2 == 0 ? "even" : "odd", n, n + 1);
    }
    assertThat(drops.total(LATE)).isEqualTo(flood);
    assertThat(idents(LATE)).containsExactlyInAnyOrder("even", "odd");
    for (RecentDrop drop : drops.newestFirst(LATE)) {
      assertThat(drop.points()).isCloseTo(flood / 2, Percentage.withPercentage(10));
    }

    clock.nowMs.addAndGet(1000); // the flood's second is over
    drops.count(LATE, "after", 1, 2);
    assertThat(idents(LATE)).startsWith("after");
    assertThat(drops.newestFirst(LATE).get(0).points()).isEqualTo(1);
  }

  @Test
  void shouldEndAFloodWhenTheClockIsSetBack() {
    for (int n = 0; n < 100_000; n++) {
      drops.count(LATE, "flood", n, n + 1);
    }
    clock.nowMs.addAndGet(-3_600_000);
    drops.count(LATE, "after", 1, 2);
    assertThat(idents(LATE)).startsWith("after");
  }

  @Test
  void shouldCountEveryPointOfAllThreads() throws Exception {
    var reading = new AtomicBoolean(true);
    var threads = Executors.newFixedThreadPool(5);
    Future<Integer> reader =
        threads.submit(
            () -> {
              int most = 0;
              while (reading.get()) {
                most = Math.max(most, drops.newestFirst(LATE).size());
              }
              return most;
            });
    var writers = new ArrayList<Callable<Void>>();
    for (int writer = 0; writer < 4; writer++) {
      int own = writer;
      writers.add(
          () -> {
            for (int n = 0; n < 100_000; n++) {
              drops.count(LATE, "s" + own + "-" + n % 1000, n, n + 1);
            }
            return null;
          });
    }
    for (Future<Void> writer : threads.invokeAll(writers)) {
      writer.get();
    }
    reading.set(false);
    assertThat(reader.get()).isLessThanOrEqualTo(100);
    threads.shutdown();
    assertThat(drops.total(LATE)).isEqualTo(400_000);
    assertThat(idents(LATE)).hasSize(100).doesNotHaveDuplicates();
  }

  @Test
  void shouldKnowEveryReasonByItsKey() {
    for (DropReason reason : DropReason.values()) {
      assertThat(DropReason.of(reason.key())).contains(reason);
    }
    assertThat(DropReason.of("lat")).isEmpty();
  }

  private List<String> idents(DropReason reason) {
    return drops.newestFirst(reason).stream().map(drop -> drop.last().ident()).toList();
  }
}
