package dev.rondo.formats.metrictank;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rondo.formats.FoundInRecord;
import dev.rondo.formats.Naming;
import dev.rondo.formats.metrictank.Messages.Sent;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.ByteRange;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

/** Any bytes yield points or drops, each within its record, and never an exception. */
class MetrictankDecoderPropertyTest {
  private static final Sent SENT = new Sent("a.b", List.of("dc=ams", "host=web01"));
  private static final byte[][] GOOD = {
    SENT.data(1.5, 1_700_000_000),
    Messages.array(SENT.data(1.5, 1_700_000_000), SENT.data(2.5, 1_700_000_010)),
    Messages.json("[{\"name\":\"a\",\"value\":1,\"time\":10,\"tags\":[\"k=v\"]},{\"name\":\"b\"}]"),
    SENT.point(1.5, 1_700_000_000),
    SENT.pointWithoutOrganisation(1.5, 1_700_000_000),
    Messages.joined(new byte[] {5, 3}, SENT.body(1, 10), SENT.body(2, 20))
  };

  private final MetrictankDecoder decoder =
      new MetrictankDecoder(new Naming(1024, 64), new KnownIds());

  private void survives(byte[] record) {
    FoundInRecord.by(decoder, record);
    MetrictankDecoder.recognises(record);
  }

  @Property(tries = 2000)
  void shouldSurviveAnyBytes(@ForAll byte[] bytes) {
    survives(bytes);
  }

  @Property(tries = 2000)
  void shouldSurviveAnyBytesAfterEachHeader(
      @ForAll @ByteRange(min = 0, max = 6) byte format, @ForAll byte[] bytes) {
    survives(Messages.joined(new byte[] {format}, bytes));
    survives(Messages.joined(new byte[] {format}, new byte[8], bytes));
  }

  @Property(tries = 3000)
  void shouldSurviveChangedAndCutRecords(
      @ForAll @IntRange(min = 0, max = 5) int which,
      @ForAll @Size(max = 4) Map<@IntRange(min = 0, max = 400) Integer, Byte> changes,
      @ForAll @IntRange(min = 0, max = 400) int length) {
    byte[] record = GOOD[which].clone();
    changes.forEach((at, to) -> record[at % record.length] = to);
    survives(record);
    survives(Arrays.copyOf(record, Math.min(length, record.length)));
  }

  /** 100 000 nested arrays in an unknown field. */
  @Property(tries = 2)
  void shouldBoundTheNesting(@ForAll boolean isJson) {
    byte[] deep = new byte[100_000];
    Arrays.fill(deep, isJson ? (byte) '[' : (byte) 0x91);
    byte[] record =
        isJson
            ? Messages.joined(Messages.json("[{\"x\":"), deep)
            : Messages.joined(new byte[] {(byte) 0x81, (byte) 0xa1, 'x'}, deep);
    FoundInRecord found = FoundInRecord.by(decoder, record);
    assertThat(found.points).isEmpty();
    assertThat(found.drops).hasSize(1);
  }
}
