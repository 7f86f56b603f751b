package dev.rondo.local.state;

import dev.rondo.local.settings.Home;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.function.Consumer;

/** The supervisor's copy of the state; writes and displays every change at once. */
public final class StateBoard {
  private final Home home;
  private final State state;
  private final Consumer<State> display;

  /**
   * @param display receives every change, one at a time
   */
  public StateBoard(Home home, State state, Consumer<State> display) {
    this.home = home;
    this.state = state;
    this.display = display;
  }

  /** Applies {@code change}, writes the file and updates the display. */
  public synchronized void change(Consumer<State> change) {
    change.accept(state);
    StateFile.write(home, state);
    display.accept(state);
  }

  /** Stores and displays {@code line} with the time of day. */
  public void note(String line) {
    String time = LocalTime.now(ZoneId.systemDefault()).truncatedTo(ChronoUnit.SECONDS).toString();
    change(state -> state.note(time + " " + line));
  }
}
