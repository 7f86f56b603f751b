package dev.rondo.local.terminal;

import dev.rondo.local.terminal.Chart.Glyphs;
import java.io.PrintStream;
import java.nio.charset.Charset;
import java.util.List;

/**
 * Standard output: lines and, on an interactive terminal, a block below them that is redrawn in
 * place.
 */
public final class Terminal {
  private static final String CLEAR_BELOW = "\u001b[0J";
  private static final String UP = "\u001b[%dA";

  private final PrintStream out;
  private final boolean isInteractive;
  private final Glyphs glyphs;
  private List<String> block = List.of();

  Terminal(PrintStream out, boolean isInteractive, Glyphs glyphs) {
    this.out = out;
    this.isInteractive = isInteractive;
    this.glyphs = glyphs;
  }

  /** Standard output; the script ./rondo sets {@code -Drondo.tty} if it is a terminal. */
  public static Terminal standard() {
    return new Terminal(System.out, Boolean.getBoolean("rondo.tty"), Glyphs.of(charset()));
  }

  /**
   * Returns the charset of {@code System.out}: that of the locale, unlike the JVM's default
   * charset, which is UTF-8 since JDK 18. JDK 17 has no {@code stdout.encoding}.
   */
  private static Charset charset() {
    String name =
        System.getProperty(
            "stdout.encoding",
            System.getProperty("sun.stdout.encoding", System.getProperty("native.encoding")));
    return name == null ? Charset.defaultCharset() : Charset.forName(name);
  }

  Glyphs glyphs() {
    return glyphs;
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

  /**
   * Draws {@code lines} in place of the previous block; below it if the terminal is not
   * interactive.
   */
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
