package dev.rondo.local.parts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.rondo.embedded.ChildProcess;
import dev.rondo.embedded.Launch;
import dev.rondo.embedded.RunningProcess;
import dev.rondo.local.settings.Home;
import dev.rondo.local.state.PartState;
import dev.rondo.local.state.ProcessId;
import dev.rondo.local.state.State;
import dev.rondo.local.state.StateBoard;
import dev.rondo.local.state.StateFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Parts are real processes, which only sleep. */
class SupervisedPartTest {
  @TempDir private Path dir;

  private final State state = new State();
  private Home home;
  private SupervisedPart keeper;
  private SupervisedPart neighbour;

  @BeforeEach
  void start() {
    home = new Home(dir);
    home.create();
    state.phase = State.READY;
    var board = new StateBoard(home, state, changed -> {});
    keeper = keep("sleeper", board);
    neighbour = keep("neighbour", board);
  }

  private SupervisedPart keep(String name, StateBoard board) {
    var part = new Part(name, null, home.log(name), launch -> sleep(name, launch));
    var started = new SupervisedPart(part, board, home.stopMarks());
    started.start();
    return started;
  }

  private RunningProcess sleep(String name, Launch launch) {
    return ChildProcess.start(name, List.of("sleep", "1000"), Map.of(), dir, launch);
  }

  @AfterEach
  void close() {
    keeper.close();
    neighbour.close();
  }

  private PartState part(String name) {
    return StateFile.read(home).orElseThrow().parts.get(name);
  }

  private void awaitState(String wanted) {
    await()
        .atMost(Duration.ofMinutes(2))
        .until(() -> part("sleeper").state(), shown -> shown.equals(wanted));
  }

  @Test
  void shouldStopOnlyThePartUntilItIsStarted() {
    ProcessId first = part("sleeper").process();
    PartState other = part("neighbour");

    home.stopMarks().add("sleeper");
    awaitState(PartState.STOPPED);
    assertThat(first.isAlive()).isFalse();
    assertThat(StateFile.read(home).orElseThrow().stopped()).containsExactly("sleeper");
    assertThat(StateFile.read(home).orElseThrow().ready).isFalse();
    await().during(Duration.ofSeconds(2)).until(() -> part("sleeper").pid() == null);

    assertThat(home.stopMarks().remove("sleeper")).isTrue();
    awaitState(PartState.RUNNING);
    assertThat(part("sleeper").process()).isNotEqualTo(first).matches(ProcessId::isAlive);
    assertThat(part("neighbour")).isEqualTo(other).matches(PartState::runs);
  }

  @Test
  void shouldStopAPartThatIsAboutToRestart() {
    part("sleeper").process().find().orElseThrow().destroyForcibly();
    awaitState(PartState.DOWN);
    home.stopMarks().add("sleeper");
    awaitState(PartState.STOPPED);
    assertThat(part("sleeper").pid()).isNull();
  }

  @Test
  void shouldRestartAPartThatEndsOnItsOwn() {
    ProcessId first = part("sleeper").process();
    first.find().orElseThrow().destroyForcibly();
    awaitState(PartState.DOWN);
    awaitState(PartState.RUNNING);
    assertThat(part("sleeper").process()).isNotEqualTo(first);
    assertThat(part("sleeper").restarts()).isEqualTo(1);
  }

  @Test
  void shouldReportWhyAPartEndedUntilItRunsAgain() throws IOException {
    Path full = dir.resolve("full");
    var end =
        List.of(
            "sh",
            "-c",
            "echo 'starting' >&2; while ! test -e full; do sleep 0.1; done;"
                + " echo '[1] PANIC:  could not write to file \"x\": No space left on device' >&2;"
                + " echo '[1] LOG:  database system is shut down' >&2");
    var board = new StateBoard(home, state, changed -> {});
    Part.Starter starter = launch -> ChildProcess.start("postgres", end, Map.of(), dir, launch);
    try (var postgres =
        new SupervisedPart(
            new Part("postgres", null, home.log("postgres"), starter), board, home.stopMarks())) {
      postgres.start();
      assertThat(part("postgres").error()).isNull();
      Files.createFile(full);
      await().atMost(Duration.ofMinutes(2)).until(() -> "down".equals(part("postgres").state()));
      assertThat(part("postgres").error())
          .isEqualTo("[1] PANIC:  could not write to file \"x\": No space left on device");
      assertThat(StateFile.read(home).orElseThrow().notesAfter(0))
          .last()
          .asString()
          .contains("postgres ended ([1] PANIC:", "No space left on device): restart in 1 s");
      Files.delete(full);
      await()
          .atMost(Duration.ofMinutes(2))
          .until(() -> part("postgres").runs() && part("postgres").error() == null);
    }
  }

  @Test
  void shouldClearMarksAtAStart() {
    home.stopMarks().add("sleeper");
    home.stopMarks().clear();
    assertThat(home.stopMarks().has("sleeper")).isFalse();
    assertThat(home.stopMarks().remove("sleeper")).isFalse();
  }
}
