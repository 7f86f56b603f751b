package dev.rondo.topology.consolidate;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.rondo.topology.archive.OpenSlot;
import dev.rondo.topology.policy.Policy;
import dev.rondo.topology.segment.Segment;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.List;
import org.apache.kafka.common.TopicPartition;

/**
 * State of a series in a task.
 *
 * @param partition partition of the task
 * @param policyVersion version of the policies that the task uses
 * @param location null while the series is unknown and its points are only buffered
 * @param merging points that the merge buffers
 * @param awaited source partitions that buffered points wait for
 */
public record SeriesState(
    int partition,
    int policyVersion,
    Location location,
    int merging,
    List<TopicPartition> awaited) {
  private static final JsonFactory JSON = new JsonFactory();

  /**
   * Location and state of a known series.
   *
   * @param position position in the segment, from 1
   * @param startsAtMs start of the series, epoch ms
   * @param newestMs time of its newest point, epoch ms; {@link Long#MIN_VALUE} = none
   * @param reordering points that the reorder window buffers
   * @param open open slot of each archive; empty before the first point
   */
  public record Location(
      Policy policy,
      int segment,
      int position,
      long startsAtMs,
      long newestMs,
      int reordering,
      List<OpenSlot> open) {
    static Location of(SeriesIndex.Location known) {
      Segment segment = known.segment();
      return new Location(
          segment.policy(),
          segment.number(),
          known.series() + 1,
          known.startsAtMs(),
          segment.newestMs(known.series()),
          segment.reordering(known.series()),
          segment.open(known.series()));
    }
  }

  /** Returns the state as JSON; unknown members are omitted. */
  public String json() {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = JSON.createGenerator(text).useDefaultPrettyPrinter()) {
      json.writeStartObject();
      json.writeNumberField("partition", partition);
      json.writeNumberField("policy_version", policyVersion);
      if (location != null) {
        write(json, location);
      }
      json.writeNumberField("merging", merging);
      json.writeArrayFieldStart("awaited");
      for (TopicPartition source : awaited) {
        json.writeString(source.toString());
      }
      json.writeEndArray();
      json.writeEndObject();
    } catch (IOException e) {
      throw new UncheckedIOException(e); // cannot happen in memory
    }
    return text.append('\n').toString();
  }

  private static void write(JsonGenerator json, Location location) throws IOException {
    json.writeStringField("policy", location.policy.name());
    json.writeNumberField("segment", location.segment);
    json.writeNumberField("position", location.position);
    json.writeNumberField("starts_at_ms", location.startsAtMs);
    if (location.newestMs != Long.MIN_VALUE) {
      json.writeNumberField("newest_ms", location.newestMs);
    }
    json.writeNumberField("reordering", location.reordering);
    json.writeArrayFieldStart("open");
    for (OpenSlot slot : location.open) {
      json.writeStartObject();
      json.writeStringField("function", slot.archive().function().key());
      json.writeNumberField("step_ms", slot.archive().shape().stepMs());
      json.writeNumberField("end_ms", slot.endMs());
      json.writeNumberField("known_ms", slot.knownMs());
      json.writeNumberField("least_known_ms", slot.archive().leastKnownMs());
      if (slot.knownMs() > 0) {
        json.writeNumberField("value", slot.value());
      }
      json.writeEndObject();
    }
    json.writeEndArray();
  }
}
