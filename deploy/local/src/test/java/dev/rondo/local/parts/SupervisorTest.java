package dev.rondo.local.parts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rondo.local.settings.Home;
import dev.rondo.local.settings.UserError;
import dev.rondo.local.state.State;
import dev.rondo.local.state.StateBoard;
import dev.rondo.local.state.StateFile;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The order in which steps begin and are closed. */
class SupervisorTest {
  @TempDir private Path dir;

  private final List<String> events = new CopyOnWriteArrayList<>();
  private Home home;
  private Supervisor supervisor;

  @BeforeEach
  void create() {
    home = new Home(dir);
    home.create();
    supervisor = new Supervisor(new StateBoard(home, new State(), changed -> {}));
  }

  private Planned planned(String name, Runnable action, String... needs) {
    Step step =
        new Step() {
          @Override
          public String name() {
            return name;
          }

          @Override
          public void start() {
            action.run();
            events.add(name);
          }

          @Override
          public void close() {
            events.add("end of " + name);
          }
        };
    return new Planned(step, Set.of(needs));
  }

  private static void meet(CyclicBarrier barrier) {
    try {
      barrier.await(120, TimeUnit.SECONDS);
    } catch (InterruptedException | BrokenBarrierException | TimeoutException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void shouldStartIndependentStepsConcurrently() {
    var together = new CyclicBarrier(2);

    supervisor.start(
        List.of(
            planned("kafka", () -> meet(together)),
            planned("postgres", () -> meet(together)),
            planned("sink", () -> {}, "kafka", "postgres"),
            planned("api", () -> {}, "sink", "a step of other starts")));

    assertThat(events.subList(0, 2)).containsExactlyInAnyOrder("kafka", "postgres");
    assertThat(events.subList(2, 4)).containsExactly("sink", "api");
    State state = StateFile.read(home).orElseThrow();
    assertThat(state.phase).isEqualTo(State.READY);
    assertThat(state.begun).isEmpty();
    assertThat(state.started).containsOnlyKeys("kafka", "postgres", "sink", "api");
    supervisor.close();
    assertThat(events.subList(4, 6)).containsExactly("end of api", "end of sink");
    assertThat(events.subList(6, 8)).containsExactlyInAnyOrder("end of kafka", "end of postgres");
  }

  @Test
  void shouldEndStartedStepsAndStartNoneAfterAFailure() {
    assertThatThrownBy(
            () ->
                supervisor.start(
                    List.of(
                        planned("postgres", () -> {}),
                        planned(
                            "kafka",
                            () -> {
                              throw new UserError("no disk");
                            },
                            "postgres"),
                        planned("topology", () -> {}, "kafka"))))
        .isInstanceOf(UserError.class)
        .hasMessage("no disk");

    assertThat(events).containsExactly("postgres", "end of kafka", "end of postgres");
    State state = StateFile.read(home).orElseThrow();
    assertThat(state.phase).isEqualTo(State.FAILED);
    assertThat(state.failure).contains("no disk");
  }
}
