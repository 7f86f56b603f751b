package dev.rondo.formats;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rondo.formats.catalog.Format;
import dev.rondo.formats.graphite.GraphiteDecoder;
import dev.rondo.formats.influx.InfluxDecoder;
import dev.rondo.formats.putval.PutvalDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Predicate;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;
import net.jqwik.api.constraints.IntRange;

/** Properties of every line format, for any bytes. */
class TextFormatsPropertyTest {
  private static final List<Format> FORMATS =
      List.of(
          new Format(
              naming -> new GraphiteDecoder(naming, TimeUnit.SECONDS),
              record -> false,
              "graphite/telegraf-tags-compatible.txt"),
          new Format(
              naming -> new InfluxDecoder(naming, TimeUnit.NANOSECONDS),
              InfluxDecoder::recognises,
              "influx/telegraf.txt"),
          new Format(
              naming -> new PutvalDecoder(naming, TimeUnit.SECONDS),
              PutvalDecoder::recognises,
              "putval/putval.txt"));

  private static final class Format {
    private final Decoder decoder;
    private final Predicate<byte[]> recognises;
    private final byte[] golden;
    private final String name;

    Format(Function<Naming, Decoder> decoder, Predicate<byte[]> recognises, String golden) {
      this.decoder = decoder.apply(new Naming(300, 20));
      this.recognises = recognises;
      this.golden = Found.golden(Found.class, golden);
      this.name = golden;
    }

    @Override
    public String toString() {
      return name;
    }

    Found found(byte[] record) {
      Found found = Found.in(record, decoder);
      if (recognises.test(record)) {
        assertThat(found.pieces).isNotEmpty();
      }
      assertThat(found.pieces).hasSizeLessThanOrEqualTo(record.length);
      return found;
    }
  }

  @Provide
  Arbitrary<Format> formats() {
    return Arbitraries.of(FORMATS);
  }

  /** Mostly bytes that are special in the format. */
  @Provide
  Arbitrary<byte[]> records() {
    return Arbitraries.frequencyOf(
            Tuple.of(
                9,
                Arbitraries.of(
                    (byte) ' ',
                    (byte) ',',
                    (byte) '=',
                    (byte) '"',
                    (byte) '\\',
                    (byte) '\n',
                    (byte) '\r',
                    (byte) ';',
                    (byte) ':',
                    (byte) '/',
                    (byte) '-',
                    (byte) '.',
                    (byte) '#',
                    (byte) '1',
                    (byte) 'e',
                    (byte) 'i',
                    (byte) 'N',
                    (byte) 'm')),
            Tuple.of(1, Arbitraries.bytes()))
        .array(byte[].class)
        .ofMaxSize(120);
  }

  @Property(tries = 3000)
  void shouldFindPiecesOfAnyBytes(
      @ForAll("formats") Format format, @ForAll("records") byte[] record) {
    format.found(record);
  }

  @Property(tries = 1000)
  void shouldAcceptRecordsThatWereCutOrDamaged(
      @ForAll("formats") Format format,
      @ForAll @IntRange(max = 20_000) int cut,
      @ForAll List<@IntRange(max = 20_000) Integer> damaged,
      @ForAll byte by) {
    byte[] record = Arrays.copyOf(format.golden, Math.min(cut, format.golden.length));
    for (int at : damaged) {
      if (at < record.length) {
        record[at] = by;
      }
    }
    format.found(record);
  }

  @Property(tries = 1000)
  void shouldKeepTheNeighboursOfABadLine(
      @ForAll("formats") Format format, @ForAll("records") byte[] bad, @ForAll int seed) {
    String golden = new String(format.golden, StandardCharsets.UTF_8);
    List<String> lines = new ArrayList<>(Arrays.asList(golden.split("\n")));
    String line = new String(bad, StandardCharsets.ISO_8859_1).replaceAll("[\n\"]", "");
    lines.add(Math.floorMod(seed, lines.size() + 1), line);
    byte[] record = String.join("\n", lines).getBytes(StandardCharsets.UTF_8);
    assertThat(format.found(record).points).containsAll(format.found(format.golden).points);
  }
}
