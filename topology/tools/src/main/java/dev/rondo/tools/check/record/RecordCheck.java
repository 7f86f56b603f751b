package dev.rondo.tools.check.record;

import dev.rondo.formats.Decoder;
import dev.rondo.formats.DropReason;
import dev.rondo.formats.Excerpt;
import dev.rondo.formats.catalog.Format;
import dev.rondo.tools.check.record.CheckedRecord.Drop;
import dev.rondo.tools.check.record.CheckedRecord.Event;
import dev.rondo.tools.check.record.CheckedRecord.Point;
import dev.rondo.topology.decode.PointValidator;
import dev.rondo.topology.decode.RecordTime;
import dev.rondo.topology.decode.TimeLimits;
import dev.rondo.topology.policy.Policies;
import dev.rondo.topology.policy.Policy;
import dev.rondo.topology.source.Source;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** Processes a record as the topology does, up to the policy of each series. */
public final class RecordCheck {
  private final Source source;
  private final Policies policies;
  private final PointValidator validator;
  private final Map<Integer, Decoder> decoders = new HashMap<>();
  private final Clock clock;

  public RecordCheck(Source source, TimeLimits limits, Clock clock) {
    this.source = source;
    this.policies = limits.policies().get();
    this.validator = new PointValidator(limits);
    this.clock = clock;
  }

  public CheckedRecord check(ConsumerRecord<byte[], byte[]> record) {
    long writtenMs = RecordTime.of(record, clock.millis());
    Found found = new Found(record.value());
    Decoder decoder = decoders.computeIfAbsent(record.partition(), p -> decoder());
    validator.validate(
        decoder, source.policy(), record.value(), record.headers(), writtenMs, found);
    return new CheckedRecord(
        record, writtenMs, format(record.value()), found.points, found.events, found.drops);
  }

  /** A decoder for one partition, as in the topology. */
  private Decoder decoder() {
    return source.format().needsDefinitions()
        ? source.decoder(new SeenDefinitions())
        : source.decoder();
  }

  private Format format(byte[] value) {
    return source.format() == Format.AUTO && value != null
        ? Format.recognised(value)
        : source.format();
  }

  private final class Found implements PointValidator.Outcome {
    final List<Point> points = new ArrayList<>();
    final List<Event> events = new ArrayList<>();
    final List<Drop> drops = new ArrayList<>();
    private final byte[] record;

    Found(byte[] record) {
      this.record = record == null ? new byte[0] : record;
    }

    @Override
    public void point(String ident, long tMs, double value) {
      Optional<Policy> policy = policies.of(ident, source.policy());
      if (policy.filter(Policy::drops).isPresent()) {
        drops.add(
            new Drop(
                DropReason.POLICY_DROPS,
                ident,
                OptionalLong.of(tMs),
                "policy " + policy.get().name() + " drops the series",
                ""));
      } else if (policy.isPresent()) {
        points.add(new Point(ident, tMs, value, policy.get()));
      } else {
        drops.add(
            new Drop(
                DropReason.NO_POLICY,
                ident,
                OptionalLong.of(tMs),
                "no policy covers the series (policies.file)",
                ""));
      }
    }

    @Override
    public void event(long tMs, String what, List<String> tags, String data) {
      events.add(new Event(tMs, what, tags));
    }

    @Override
    public void reject(DropReason reason, String ident, long tMs, String detail, int from, int to) {
      drops.add(new Drop(reason, ident, OptionalLong.of(tMs), detail, excerpt(from, to)));
    }

    @Override
    public void drop(DropReason reason, String detail, int from, int to) {
      drops.add(new Drop(reason, null, OptionalLong.empty(), detail, excerpt(from, to)));
    }

    private String excerpt(int from, int to) {
      return Excerpt.of(record, from, to);
    }
  }
}
