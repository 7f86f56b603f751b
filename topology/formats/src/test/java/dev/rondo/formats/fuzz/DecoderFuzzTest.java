package dev.rondo.formats.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.rondo.formats.Decoder;
import dev.rondo.formats.Definitions;
import dev.rondo.formats.DropReason;
import dev.rondo.formats.PointSink;
import dev.rondo.formats.catalog.Format;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * No record makes a decoder fail, or costs more than its bounds. {@code -Drondo.fuzz.inputs} is the
 * number of records of each format, {@code -Drondo.fuzz.seed} their seed.
 */
class DecoderFuzzTest {
  private static final long INPUTS = Long.getLong("rondo.fuzz.inputs", 1_000);
  private static final long SEED =
      Long.getLong("rondo.fuzz.seed", new SplittableRandom().nextLong());

  /** CPU of the slowest record: a megabyte, compiled by C1 only. */
  private static final long MAX_CPU_MS = 3_000;

  /** Most allocations of a record, garbage included: a megabyte in small pieces. */
  private static final long MAX_ALLOCATED_BYTES = 320L << 20;

  private static final int MAX_DETAIL = 1_000;
  private static final int MAX_DEFINITIONS = 10_000;
  private static final ThreadMXBean THREAD = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  @ParameterizedTest
  @EnumSource
  void shouldSurviveAnyRecordWithinItsBounds(Format format) throws IOException {
    Mutator records = new Mutator(SampleRecords.of(format), SEED);
    Decoder decoder = format.decoder(SampleRecords.settings(format), new Recent());
    Checked found = new Checked();
    long slowestMs = 0;
    long mostBytes = 0;
    for (long n = 0; n < INPUTS; n++) {
      byte[] record = records.next();
      found.begin(record);
      long bytes = THREAD.getCurrentThreadAllocatedBytes();
      long ns = THREAD.getCurrentThreadCpuTime();
      decoder.decode(record, 1_700_000_000_500L, found);
      long cpuMs = (THREAD.getCurrentThreadCpuTime() - ns) / 1_000_000;
      long allocated = THREAD.getCurrentThreadAllocatedBytes() - bytes;
      if (!found.fault.isEmpty() || cpuMs > MAX_CPU_MS || allocated > MAX_ALLOCATED_BYTES) {
        throw new AssertionError(
            "%s (%d ms, %d bytes allocated) in %s: -Drondo.fuzz.seed=%d, record %d"
                .formatted(found.fault, cpuMs, allocated, kept(format, record), SEED, n));
      }
      slowestMs = Math.max(slowestMs, cpuMs);
      mostBytes = Math.max(mostBytes, allocated);
    }
    assertThat(found.points).as("records that still hold points or events").isPositive();
    System.out.printf(
        "%s: %d records, %d points, slowest %d ms, most allocated %d KiB, seed %d%n",
        format.key(), INPUTS, found.points, slowestMs, mostBytes >> 10, SEED);
  }

  private static Path kept(Format format, byte[] record) throws IOException {
    Path file = Path.of("target", "fuzz-" + format.key() + ".bin").toAbsolutePath();
    return Files.write(file, record);
  }

  /** Checks each point and drop; keeps none. */
  private static final class Checked implements PointSink {
    long points;
    String fault = "";
    private byte[] record = {};

    void begin(byte[] next) {
      record = next;
    }

    @Override
    public void point(String ident, long tMs, double value, int from, int to) {
      Objects.checkFromToIndex(from, to, record.length);
      points++;
      if (ident.length() > SampleRecords.IDENT_MAX_BYTES / 3
          && ident.getBytes(StandardCharsets.UTF_8).length > SampleRecords.IDENT_MAX_BYTES) {
        fault = "ident of " + ident.length() + " characters";
      }
    }

    @Override
    public void event(long tMs, String what, List<String> tags, String data, int from, int to) {
      Objects.checkFromToIndex(from, to, record.length);
      points++;
      int characters = what.length() + data.length() + String.join(" ", tags).length();
      if (what.isBlank() || characters > SampleRecords.EVENT_MAX_CHARACTERS) {
        fault = "event of " + characters + " characters";
      }
    }

    @Override
    public void drop(DropReason reason, String detail, int from, int to) {
      Objects.checkFromToIndex(from, to, record.length);
      if (reason == DropReason.DECODER_FAILED) {
        fault = detail;
      } else if (detail.length() > MAX_DETAIL) {
        fault = "detail of " + detail.length() + " characters";
      }
    }
  }

  /** Keeps the latest definitions. */
  private static final class Recent implements Definitions {
    private final Map<ByteBuffer, String> byId = new LinkedHashMap<>();

    @Override
    public String get(byte[] id) {
      return byId.get(ByteBuffer.wrap(id));
    }

    @Override
    public void put(byte[] id, String definition) {
      if (byId.size() == MAX_DEFINITIONS) {
        byId.clear();
      }
      byId.put(ByteBuffer.wrap(id.clone()), definition);
    }

    @Override
    public boolean areKept() {
      return true;
    }
  }
}
