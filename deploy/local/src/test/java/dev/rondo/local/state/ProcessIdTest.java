package dev.rondo.local.state;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rondo.embedded.ProcessTree;
import dev.rondo.local.parts.OrphanedParts;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ProcessIdTest {
  @Test
  void shouldFindRunningProcess() {
    assertThat(ProcessId.of(ProcessHandle.current()).isAlive()).isTrue();
  }

  @Test
  void shouldNotFindLaterProcessWithSamePid() {
    long pid = ProcessHandle.current().pid();
    assertThat(new ProcessId(pid, "2020-01-01T00:00:00Z").isAlive()).isFalse();
    assertThat(new ProcessId(pid, null).isAlive()).isFalse();
  }

  @Test
  void shouldEndOnlyOrphanedParts() throws Exception {
    var process = new ProcessBuilder("sleep", "600").start();
    try {
      var id = ProcessId.of(process.toHandle());
      var state = new State();
      state.put("api", PartState.now(PartState.RUNNING, id, null, 0, "api.log"));
      state.put(
          "kafka",
          PartState.now(
              PartState.RUNNING,
              new ProcessId(ProcessHandle.current().pid(), "2020-01-01T00:00:00Z"),
              null,
              0,
              "kafka.log"));

      assertThat(state.hasOrphanedParts()).isTrue();
      assertThat(OrphanedParts.end(state)).isEqualTo(1);
      assertThat(process.waitFor(2, TimeUnit.MINUTES)).isTrue();
      assertThat(state.hasOrphanedParts()).isFalse();
    } finally {
      process.destroyForcibly();
    }
  }

  @Test
  void shouldKillProcessesThatDoNotEnd() throws Exception {
    var deaf = new ProcessBuilder(List.of("sh", "-c", "trap '' TERM; echo deaf; sleep 600 & wait"));
    var process = deaf.start();
    assertThat(process.inputReader().readLine()).isEqualTo("deaf");
    var child = process.descendants().findFirst();

    OrphanedParts.end(process.toHandle(), Duration.ofMillis(200));

    assertThat(process.waitFor(2, TimeUnit.MINUTES)).isTrue();
    assertThat(child.filter(ProcessTree::isAlive)).isEmpty();
  }
}
