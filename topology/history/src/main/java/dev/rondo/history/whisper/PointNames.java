package dev.rondo.history.whisper;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.rondo.formats.DropReason;
import dev.rondo.formats.NameRules;
import dev.rondo.formats.Naming;
import dev.rondo.formats.PointSink;
import dev.rondo.formats.graphite.GraphiteDecoder;
import dev.rondo.topology.config.TopologyConfig;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Gives a series of Graphite the ident that its points would have, by decoding one. Not
 * thread-safe.
 */
final class PointNames {
  private final GraphiteDecoder decoder;

  /**
   * Names as sources of the format graphite give them.
   *
   * @param prefix nodes before each name; may be empty
   */
  PointNames(TopologyConfig config, String prefix) {
    this(config.getInt("ident.max.bytes"), config.getInt("ident.max.tags"), prefix);
  }

  PointNames(int identMaxBytes, int identMaxTags, String prefix) {
    var rules = new NameRules(Optional.empty(), prefix, List.of(), Map.of());
    decoder = new GraphiteDecoder(new Naming(identMaxBytes, identMaxTags, rules), TimeUnit.SECONDS);
  }

  /** The canonical ident of {@code a.b.c} or {@code name;k=v}. */
  String ident(String graphiteName) throws UnreadableFileException {
    var taken = new Taken();
    decoder.decode((graphiteName + " 0 1").getBytes(UTF_8), 0, taken);
    if (taken.ident == null) {
      throw new UnreadableFileException("no point can have its name: " + taken.reason);
    }
    return taken.ident;
  }

  /** The ident, or the reason why there is none. */
  private static final class Taken implements PointSink {
    private String ident;
    private String reason;

    @Override
    public void point(String ident, long timeMs, double value, int from, int to) {
      this.ident = ident;
    }

    @Override
    public void drop(DropReason reason, String detail, int from, int to) {
      this.reason = detail;
    }
  }
}
