package dev.rondo.topology.archive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Compares Rondo with RRDtool for random points: a GAUGE with AVERAGE, MIN, MAX and LAST, the
 * finest slots and two coarser archives. {@code -Drondo.seed=…} repeats a run.
 *
 * <p>Known differences, and how the test handles them:
 *
 * <ul>
 *   <li>RRDtool's xff is the greatest unknown share, Rondo's the least known share: one is 1 − the
 *       other.
 *   <li>RRDtool counts the unknown time of a PDP in whole seconds, so silences start and end on a
 *       second.
 *   <li>RRDtool spreads a PDP that started before an interval over all steps that the interval
 *       completes. RRDtool receives such an interval as two, cut at the end of that PDP; the two
 *       are equivalent.
 *   <li>In RRDtool a PDP is known or unknown as a whole: unknown if more than half of it is, as
 *       with Rondo's xff 0.5 of the finest archive. A PDP in which a silence starts is, depending
 *       on the length of the silence and the version, unknown or the mean of its known time,
 *       however short. Rondo keeps the known time: it emits such a slot by xff, and its value
 *       equals RRDtool's if RRDtool has one.
 *   <li>A coarser slot with a PDP that RRDtool dropped although part of it was known is not
 *       compared. Such slots are counted, and are few.
 *   <li>A coarser AVERAGE weights PDPs equally, Rondo by known time. If a PDP is partly known,
 *       Rondo's slot is compared with RRDtool's PDPs, weighted by known time.
 *   <li>RRDtool's LAST of a slot whose last PDP is unknown is unknown. Rondo's is the last known
 *       PDP, and is compared with RRDtool's PDP.
 * </ul>
 */
class RrdToolIT {
  private static final int SEQUENCES = 1_000;
  private static final Percentage CLOSE = Percentage.withPercentage(1e-9 * 100);
  private static final Pattern CF = Pattern.compile("\\s*<cf>(\\w+)</cf>");
  private static final Pattern PDP_PER_ROW = Pattern.compile("\\s*<pdp_per_row>(\\d+)<.*");
  private static final Pattern ROW =
      Pattern.compile("\\s*<!-- .* / (\\d+) --> <row><v>(.*)</v></row>");
  private static final Map<ConsolidationFunction, String> CFS =
      Map.of(
          ConsolidationFunction.WMEAN, "AVERAGE",
          ConsolidationFunction.MIN, "MIN",
          ConsolidationFunction.MAX, "MAX",
          ConsolidationFunction.LAST, "LAST");

  @TempDir Path folder;

  private int finest;
  private int coarser;
  private int weighed;
  private int notCompared;

  @Test
  void shouldAgreeWithRrdTool() throws IOException {
    long seed = Long.getLong("rondo.seed", ThreadLocalRandom.current().nextLong());
    try (RrdTool rrdTool = startOrSkip()) {
      for (int n = 0; n < SEQUENCES; n++) {
        compare(seed + n, rrdTool);
      }
    }
    System.out.printf(
        "RRDtool: seed %d, %d sequences: %d finest slots, %d coarser ones, %d of them weighed by"
            + " known time; %d not compared%n",
        seed, SEQUENCES, finest, coarser, weighed, notCompared);
    assertThat(finest).isGreaterThan(50 * SEQUENCES);
    assertThat(coarser).isGreaterThan(50 * SEQUENCES);
    assertThat(notCompared).isLessThan(coarser / 5);
  }

  private static RrdTool startOrSkip() {
    try {
      return RrdTool.start();
    } catch (IOException e) {
      return abort("no rrdtool to compare with: " + e.getMessage() + "; apt install rrdtool");
    }
  }

  private void compare(long seed, RrdTool rrdTool) throws IOException {
    RrdSequence sequence = new RrdSequence(seed);
    List<Archive> archives = archives(sequence, new SplittableRandom(~seed));
    List<Map<Long, Double>> ours = ours(sequence, archives);
    List<Map<Long, Double>> theirs = theirs(sequence, archives, rrdTool);
    for (int a = 0; a < archives.size(); a++) {
      Slots slots =
          new Slots(seed, sequence, archives.get(a), ours.get(a), theirs.get(a), theirs.get(0));
      long stepMs = archives.get(a).shape().stepMs();
      long beginMs = Math.floorDiv(sequence.firstMs(), stepMs) * stepMs;
      for (long endMs = beginMs + stepMs; endMs <= sequence.lastMs(); endMs += stepMs) {
        if (a == 0) {
          compareFinest(slots, endMs);
        } else {
          compareCoarser(slots, endMs);
        }
      }
    }
  }

  /** The finest archive, then two coarser steps with each function. */
  private static List<Archive> archives(RrdSequence sequence, SplittableRandom random) {
    List<Archive> archives = new ArrayList<>();
    archives.add(archive(ConsolidationFunction.WMEAN, sequence, 1, 0.5));
    int factor = 1;
    for (int coarse = 0; coarse < 2; coarse++) {
      factor *= 2 + random.nextInt(4);
      double xff = 0.25 * (1 + random.nextInt(3));
      for (ConsolidationFunction function : CFS.keySet()) {
        archives.add(archive(function, sequence, factor, xff));
      }
    }
    return archives;
  }

  private static Archive archive(
      ConsolidationFunction function, RrdSequence sequence, int factor, double xff) {
    long stepMs = factor * sequence.stepMs;
    int size = (int) ((sequence.lastMs() - sequence.firstMs()) / stepMs) + 2;
    return new Archive(function, new ArchiveShape(stepMs, size), xff);
  }

  private static List<Map<Long, Double>> ours(RrdSequence sequence, List<Archive> archives) {
    List<Map<Long, Double>> emitted = new ArrayList<>();
    archives.forEach(archive -> emitted.add(new HashMap<>()));
    OpenSlots slots =
        new OpenSlots(
            sequence.stepMs, sequence.heartbeatMs, ConsolidationFunction.WMEAN, archives, 1);
    for (RrdSequence.Sent point : sequence.points) {
      slots.add(0, point.tMs(), point.value(), (a, series, end, v) -> emitted.get(a).put(end, v));
    }
    return emitted;
  }

  private List<Map<Long, Double>> theirs(
      RrdSequence sequence, List<Archive> archives, RrdTool rrdTool) throws IOException {
    Path file = folder.resolve("sequence.rrd");
    StringBuilder create =
        new StringBuilder(
            "create %s --start %d --step %d DS:v:GAUGE:%d:U:U"
                .formatted(
                    file,
                    sequence.firstMs() / 1_000,
                    sequence.stepMs / 1_000,
                    sequence.heartbeatMs / 1_000));
    for (Archive archive : archives) {
      long pdps = archive.shape().stepMs() / sequence.stepMs;
      create.append(
          " RRA:%s:%s:%d:%d"
              .formatted(
                  CFS.get(archive.function()), 1 - archive.xff(), pdps, archive.shape().size()));
    }
    rrdTool.emit(create.toString());
    StringBuilder update = new StringBuilder("update " + file);
    for (RrdSequence.Sent point : sequence.cutPoints) {
      update.append(
          " %d.%03d:%s".formatted(point.tMs() / 1_000, point.tMs() % 1_000, point.value()));
    }
    rrdTool.emit(update.toString());
    List<Map<Long, Double>> rows = rows(rrdTool.emit("dump " + file), archives, sequence.stepMs);
    Files.delete(file);
    return rows;
  }

  /** Values by end of the slot, ms, of each archive; NaN = unknown. */
  private static List<Map<Long, Double>> rows(
      List<String> dump, List<Archive> archives, long stepMs) {
    List<Map<Long, Double>> rows = new ArrayList<>();
    String cf = "";
    for (String line : dump) {
      Matcher matcher = ROW.matcher(line);
      if (matcher.matches()) {
        rows.get(rows.size() - 1)
            .put(Long.parseLong(matcher.group(1)) * 1_000, Double.parseDouble(matcher.group(2)));
      } else if (matcher.usePattern(CF).matches()) {
        cf = matcher.group(1);
      } else if (matcher.usePattern(PDP_PER_ROW).matches()) {
        Archive archive = archives.get(rows.size());
        assertThat(cf).isEqualTo(CFS.get(archive.function()));
        assertThat(Long.parseLong(matcher.group(1)) * stepMs).isEqualTo(archive.shape().stepMs());
        rows.add(new HashMap<>());
      }
    }
    return rows;
  }

  /** One archive of a sequence in Rondo and in RRDtool. */
  private record Slots(
      long seed,
      RrdSequence sequence,
      Archive archive,
      Map<Long, Double> ours,
      Map<Long, Double> theirs,
      Map<Long, Double> theirPdps) {
    String at(long endMs) {
      return "seed %d, %s, slot %d".formatted(seed, archive, endMs);
    }

    void assertOursIs(double expected, long endMs) {
      if (Double.isNaN(expected)) {
        assertThat(ours).as(at(endMs)).doesNotContainKey(endMs);
      } else {
        assertThat(ours).as(at(endMs)).containsKey(endMs);
        assertThat(ours.get(endMs)).as(at(endMs)).isCloseTo(expected, CLOSE);
      }
    }

    long knownMs(long endMs) {
      return sequence.knownMs.getOrDefault(endMs, 0L);
    }
  }

  private void compareFinest(Slots slots, long endMs) {
    finest++;
    double theirs = slots.theirs().get(endMs);
    if (slots.sequence().silenceBegins.contains(endMs)) {
      boolean isEmitted = slots.knownMs(endMs) >= slots.archive().leastKnownMs();
      assertThat(slots.ours().containsKey(endMs)).as(slots.at(endMs)).isEqualTo(isEmitted);
      if (isEmitted && !Double.isNaN(theirs)) {
        slots.assertOursIs(theirs, endMs);
      }
    } else {
      slots.assertOursIs(theirs, endMs);
    }
  }

  private void compareCoarser(Slots slots, long endMs) {
    long stepMs = slots.sequence().stepMs;
    boolean isPart = false;
    double value = Double.NaN;
    long knownMs = 0;
    for (long pdpMs = endMs - slots.archive().shape().stepMs() + stepMs;
        pdpMs <= endMs;
        pdpMs += stepMs) {
      long pdpKnownMs = slots.knownMs(pdpMs);
      if (pdpKnownMs > 0) {
        double pdp = slots.theirPdps().get(pdpMs);
        if (Double.isNaN(pdp)) {
          notCompared++;
          return;
        }
        value = join(slots.archive().function(), value, knownMs, pdp, pdpKnownMs);
        knownMs += pdpKnownMs;
        isPart |= pdpKnownMs < stepMs;
      }
    }
    coarser++;
    boolean isLastUnknown =
        slots.archive().function() == ConsolidationFunction.LAST && slots.knownMs(endMs) == 0;
    if (isPart || isLastUnknown) {
      weighed++;
      slots.assertOursIs(knownMs >= slots.archive().leastKnownMs() ? value : Double.NaN, endMs);
    } else {
      slots.assertOursIs(slots.theirs().get(endMs), endMs);
    }
    if (isLastUnknown) {
      assertThat(slots.theirs().get(endMs)).as(slots.at(endMs)).isNaN();
    }
  }

  private static double join(
      ConsolidationFunction function, double value, long knownMs, double pdp, long pdpKnownMs) {
    if (knownMs == 0) {
      return pdp;
    }
    return switch (function) {
      case WMEAN -> (value * knownMs + pdp * pdpKnownMs) / (knownMs + pdpKnownMs);
      case MIN -> Math.min(value, pdp);
      case MAX -> Math.max(value, pdp);
      case LAST -> pdp;
      case SUM -> throw new IllegalArgumentException("RRDtool has no sum");
    };
  }
}
