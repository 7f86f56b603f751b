package dev.rondo.bench.points;

import dev.rondo.formats.Decoder;
import dev.rondo.formats.DropReason;
import dev.rondo.formats.PointSink;
import dev.rondo.formats.catalog.DecoderSettings;
import dev.rondo.formats.catalog.Format;
import dev.rondo.topology.decode.PointValidator;
import dev.rondo.topology.decode.TimeLimits;
import dev.rondo.topology.policy.Policies;
import dev.rondo.topology.policy.PoliciesFile;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.infra.Blackhole;

/**
 * Cost of a point in decode: Graphite plaintext.
 *
 * <pre>
 *   benchmark   tags   lines a record   ns a point   B allocated a point
 *   decode      no                  1          136                    88
 *   decode      no                100          137                    88
 *   decode      4                   1          693                   600
 *   decode      4                 100          388                   293
 *   validate    no                  1            ?                   144
 *   validate    no                100            ?                    89
 *   validate    4                   1            ?                   688
 *   validate    4                 100            ?                   294
 *   step        no                  1            ?                  1514
 *   step        no                100            ?                   320
 *   step        4                   1            ?                  2574
 *   step        4                 100            ?                   589
 *
 *   ./rondo bench points Graphite -f 1 -wi 2 -w 1 -i 60 -r 100ms
 *   OpenJDK 17.0.15, 2 cores of an Intel Xeon, shared with ten other busy processes: the ns are
 *   those of the fastest of the 60 iterations. Of validate and step only the bytes are known.
 * </pre>
 */
public class GraphiteBenchmark extends NanosBenchmark {
  private static final int POINTS = 1000;

  @Param({"1", "100"})
  private int linesPerRecord;

  /** Five consecutive lines have the same tags, like Telegraf's fields. */
  @Param({"false", "true"})
  private boolean hasTags;

  private final DecoderSettings settings =
      new DecoderSettings(1024, 64, Optional.empty(), Optional.empty());
  private final Policies policies = PoliciesFile.parse(Policies.DEFAULT_YAML);
  private final TimeLimits limits = new TimeLimits(600_000, 0, () -> policies);
  private final Decoder decoder = Format.GRAPHITE.decoder(settings);
  private final PointValidator validator = new PointValidator(limits);
  private final DecodeStep step = new DecodeStep(Format.GRAPHITE, settings, limits);
  private final RecordHeaders noHeaders = new RecordHeaders();
  private byte[][] records;

  /** Creates records with 1000 points in total. */
  @Setup
  public void write() {
    records = new byte[POINTS / linesPerRecord][];
    for (int record = 0; record < records.length; record++) {
      StringBuilder lines = new StringBuilder();
      for (int line = 0; line < linesPerRecord; line++) {
        String tags =
            hasTags ? ";cpu=cpu%d;dc=ams;env=prod;host=web%05d".formatted(line / 5, record) : "";
        lines.append(
            "shop.prod.rack%02d.web%05d.cpu.core%02d.usage.mean%s %.3f 1700000000%n"
                .formatted(record % 97, record, line, tags, line * 1.371));
      }
      records[record] = lines.toString().getBytes(StandardCharsets.UTF_8);
    }
  }

  /** Lines → ident, time, value. */
  @Benchmark
  @OperationsPerInvocation(POINTS)
  public void decode(Blackhole points) {
    PointSink sink = new Consumed(points);
    for (byte[] record : records) {
      decoder.decode(record, 0, sink);
    }
  }

  /** The same with each point's value and time checked. */
  @Benchmark
  @OperationsPerInvocation(POINTS)
  public void validate(Blackhole points) {
    PointValidator.Outcome outcome = new Valid(points);
    for (byte[] record : records) {
      validator.validate(decoder, "", record, noHeaders, DecodeStep.T_MS, outcome);
    }
  }

  private record Valid(Blackhole points) implements PointValidator.Outcome {
    @Override
    public void point(String ident, long tMs, double value) {
      points.consume(ident);
      points.consume(tMs);
      points.consume(value);
    }

    @Override
    public void event(long tMs, String what, List<String> tags, String data) {
      throw new IllegalStateException(what);
    }

    @Override
    public void reject(DropReason reason, String ident, long tMs, String detail, int from, int to) {
      throw new IllegalStateException(detail);
    }

    @Override
    public void drop(DropReason reason, String detail, int from, int to) {
      throw new IllegalStateException(detail);
    }
  }

  /** The whole step: lines → batches of valid points, one per partition. */
  @Benchmark
  @OperationsPerInvocation(POINTS)
  public void step(Blackhole batches) {
    for (byte[] record : records) {
      step.decode(record, batches);
    }
  }
}
