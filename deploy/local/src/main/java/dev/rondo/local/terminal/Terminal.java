package dev.rondo.local.terminal;

import java.io.PrintStream;
import java.util.List;

/** Standard output: lines, and below them, on a real terminal, one block that is drawn in place. */
public final class Terminal {
  private static final String CLEAR_BELOW = "\u001b[0J";
  private static final String UP = "\u001b[%dA";

  private final PrintStream out;
  private final boolean isInteractive;
  private List<String> block = List.of();

  Terminal(PrintStream out, boolean isInteractive) {
    this.out = out;
    this.isInteractive = isInteractive;
  }

  /** The script ./rondo knows whether somebody looks: {@code -Drondo.tty}. */
  public static Terminal standard() {
    return new Terminal(System.out, Boolean.getBoolean("rondo.tty"));
  }

  public boolean isInteractive() {
    return isInteractive;
  }

  public synchronized void line(String text) {
    erase();
    out.println(text);
    block.forEach(out::println);
    out.flush();
  }

  /** Draws {@code lines} in place of the block before; elsewhere than on a terminal, below it. */
  synchronized void draw(List<String> lines) {
    erase();
    lines.forEach(out::println);
    out.flush();
    block = isInteractive ? List.copyOf(lines) : List.of();
  }

  private void erase() {
    if (!block.isEmpty()) {
      out.print(UP.formatted(block.size()) + CLEAR_BELOW);
    }
  }
}
