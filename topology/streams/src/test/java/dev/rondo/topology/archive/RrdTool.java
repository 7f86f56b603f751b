package dev.rondo.topology.archive;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** A running {@code rrdtool -}, which reads commands from its standard input, one per line. */
final class RrdTool implements AutoCloseable {
  private final Process process;
  private final BufferedReader out;

  private RrdTool(Process process) {
    this.process = process;
    this.out = process.inputReader(StandardCharsets.US_ASCII);
  }

  /** Starts RRDtool; throws IOException if this machine has none. */
  static RrdTool start() throws IOException {
    ProcessBuilder builder = new ProcessBuilder("rrdtool", "-").redirectErrorStream(true);
    builder.environment().put("LC_ALL", "C");
    return new RrdTool(builder.start());
  }

  /** Runs a command. Returns the lines of its output; throws on an error of RRDtool. */
  List<String> emit(String command) {
    try {
      process.getOutputStream().write((command + "\n").getBytes(StandardCharsets.US_ASCII));
      process.getOutputStream().flush();
      List<String> lines = new ArrayList<>();
      for (String line = out.readLine(); line != null; line = out.readLine()) {
        if (line.startsWith("OK u:")) {
          return lines;
        }
        if (line.startsWith("ERROR:")) {
          throw new IllegalStateException(line + " after: " + command);
        }
        lines.add(line);
      }
      throw new IllegalStateException("rrdtool ended after: " + command);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() throws IOException {
    process.getOutputStream().close(); // ends it
    out.close();
    process.destroy();
  }
}
