package dev.rondo.tools.check.record;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rondo.formats.DropReason;
import dev.rondo.formats.NameRules;
import dev.rondo.formats.RecordLimits;
import dev.rondo.formats.catalog.DecoderSettings;
import dev.rondo.formats.catalog.Format;
import dev.rondo.tools.check.source.Hints;
import dev.rondo.topology.decode.TimeLimits;
import dev.rondo.topology.policy.Policies;
import dev.rondo.topology.policy.PoliciesFile;
import dev.rondo.topology.source.Source;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.junit.jupiter.api.Test;

class RecordCheckTest {
  private static final HexFormat HEX = HexFormat.of();

  private static final byte[] METRIC_DATA =
      HEX.parseHex(
          "89a24964d922312e3862383465316265363638646434373461303161323262373264333763333362"
              + "a54f7267496401a44e616d65b6736572766572732e77656230312e6370752e69646c65a8496e7465"
              + "7276616c0aa556616c7565cb405885c28f5c28f6a4556e6974a7756e6b6e6f776ea454696d65ce56"
              + "be6e72a54d74797065a56761756765a45461677391a664633d616d73");

  private static final byte[] METRIC_POINT =
      HEX.parseHex("028b84e1be668dd474a01a22b72d37c33bf6285c8fc2855840726ebe5601000000");

  private static final Source METRICTANK =
      new Source(
          "mt",
          Format.METRICTANK,
          new DecoderSettings(1024, 64, Optional.empty(), Optional.empty()),
          false,
          "");

  private final RecordCheck check =
      new RecordCheck(
          METRICTANK,
          new TimeLimits(600_000, Long.MAX_VALUE, () -> PoliciesFile.parse(Policies.DEFAULT_YAML)),
          Clock.systemUTC());

  private CheckedRecord check(int partition, byte[] value) {
    return check.check(new ConsumerRecord<>("mt", partition, 0, null, value));
  }

  @Test
  void shouldResolveIdsThatEarlierRecordsOfThePartitionDefined() {
    check(0, METRIC_DATA);
    assertThat(check(0, METRIC_POINT).points())
        .singleElement()
        .satisfies(point -> assertThat(point.ident()).isEqualTo("servers.web01.cpu.idle;dc=ams"));
    assertThat(check(1, METRIC_POINT).drops())
        .extracting("reason")
        .containsExactly(DropReason.UNKNOWN_ID);
  }

  @Test
  void shouldHintThatOlderRecordsMayDefineTheIds() {
    List<CheckedRecord> records = List.of(check(0, METRIC_POINT));
    assertThat(Hints.of(METRICTANK, records, SampleSummary.of(records, 1)))
        .containsExactly(
            "older records than those read may define the unknown ids: read more (--records,"
                + " --from)");
  }

  @Test
  void shouldHintThatRecordTimesAreOutOfOrder() {
    List<CheckedRecord> records =
        Stream.of(100_000L, 160_000L, 101_000L)
            .map(
                ms ->
                    new ConsumerRecord<>(
                        "mt",
                        0,
                        0,
                        ms,
                        TimestampType.CREATE_TIME,
                        0,
                        0,
                        (byte[]) null,
                        METRIC_DATA,
                        new RecordHeaders(),
                        Optional.empty()))
            .map(check::check)
            .toList();
    assertThat(Hints.of(METRICTANK, records, SampleSummary.of(records, 1)))
        .anySatisfy(hint -> assertThat(hint).contains("59 s out of order"));
  }

  @Test
  void shouldHintThatADroppedLabelMergesSeries() {
    var names = new NameRules(Optional.empty(), "", List.of(Pattern.compile("pod")), Map.of());
    var source =
        new Source(
            "g",
            Format.GRAPHITE,
            new DecoderSettings(
                1024,
                64,
                Optional.empty(),
                Optional.empty(),
                RecordLimits.DEFAULT,
                names,
                Optional.empty()),
            false,
            "");
    var limits =
        new TimeLimits(600_000, Long.MAX_VALUE, () -> PoliciesFile.parse(Policies.DEFAULT_YAML));
    var graphite = new RecordCheck(source, limits, Clock.systemUTC());
    List<CheckedRecord> records =
        Stream.of("a;pod=1 3 1700000000\n", "a;pod=2 5 1700000000\n")
            .map(line -> line.getBytes(StandardCharsets.UTF_8))
            .map(line -> graphite.check(new ConsumerRecord<>("g", 0, 0, null, line)))
            .toList();
    assertThat(Hints.of(source, records, SampleSummary.of(records, 1)))
        .containsExactly(
            "'a' has the values 3.0 and 5.0 at 2023-11-14T22:13:20Z: two senders have the series, or"
                + " what tells them apart is left out of its name (labels, template, mapping)");
  }
}
