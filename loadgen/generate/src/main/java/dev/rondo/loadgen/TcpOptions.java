package dev.rondo.loadgen;

import dev.rondo.loadgen.encode.Format;
import dev.rondo.loadgen.plan.Plan;
import dev.rondo.loadgen.send.TcpOutput;
import java.io.IOException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.Option;

/** Options for a destination other than Kafka. */
final class TcpOptions {
  private static final Pattern ADDRESS = Pattern.compile("(.+):(\\d{1,5})");

  @Option(
      names = "--graphite",
      paramLabel = "HOST:PORT",
      description =
          "Send lines to this TCP address instead of Kafka, as to carbon; needs --format=graphite.")
  private String address;

  boolean isGiven() {
    return address != null;
  }

  /** Connects. */
  TcpOutput output(Plan plan) throws IOException {
    if (Format.of(plan.format()) != Format.GRAPHITE) {
      throw new BadInputException(
          "lines are sent in the format graphite, not %s (--graphite, --format)"
              .formatted(plan.format()));
    }
    Matcher parts = ADDRESS.matcher(address);
    if (!parts.matches()) {
      throw new BadInputException("'%s' is not HOST:PORT (--graphite)".formatted(address));
    }
    try {
      return new TcpOutput(parts.group(1), Integer.parseInt(parts.group(2)));
    } catch (IOException e) {
      throw new IOException("could not connect to " + address + ": " + e.getMessage(), e);
    }
  }
}
