package dev.rondo.tools.check.source;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rondo.tools.check.record.CheckedRecord;
import dev.rondo.tools.check.record.CheckedRecord.Drop;
import dev.rondo.tools.check.record.CheckedRecord.Event;
import dev.rondo.tools.check.record.CheckedRecord.Point;
import dev.rondo.tools.check.record.KeyText;
import dev.rondo.tools.check.record.SampleSummary;
import dev.rondo.tools.policies.ArchiveText;
import java.time.Instant;
import java.util.OptionalLong;

/** Prints a check as one JSON object. */
final class CheckJson {
  private static final ObjectMapper JSON = new ObjectMapper();

  private CheckJson() {}

  static String of(Check check) {
    ObjectNode root = JSON.createObjectNode();
    root.put("topic", check.source().topic());
    root.put("partitions", check.partitions());
    root.put("format", check.source().format().key());
    ArrayNode records = root.putArray("records");
    check.records().forEach(record -> records.add(record(record)));
    root.set("summary", summary(check.summary()));
    if (!check.proposal().isEmpty()) {
      root.put("sources_file", String.join("\n", check.proposal()) + "\n");
    }
    ArrayNode hints = root.putArray("hints");
    check.hints().forEach(hints::add);
    return root.toPrettyString();
  }

  private static ObjectNode record(CheckedRecord record) {
    ObjectNode node = JSON.createObjectNode();
    node.put("partition", record.record().partition());
    node.put("offset", record.record().offset());
    time(node, "written", record.writtenMs());
    node.put("key", KeyText.of(record.key()));
    node.put("bytes", record.bytes());
    node.put("format", record.format().key());
    ArrayNode points = node.putArray("points");
    record.points().forEach(point -> points.add(point(point)));
    ArrayNode events = node.putArray("events");
    record.events().forEach(event -> events.add(event(event)));
    ArrayNode drops = node.putArray("dropped");
    record.drops().forEach(drop -> drops.add(drop(drop)));
    return node;
  }

  private static ObjectNode point(Point point) {
    ObjectNode node = JSON.createObjectNode();
    node.put("ident", point.ident());
    time(node, "time", point.tMs());
    node.put("value", point.value());
    node.put("policy", point.policy().name());
    ArrayNode archives = node.putArray("archives");
    ArchiveText.of(point.policy()).forEach(archives::add);
    return node;
  }

  private static ObjectNode event(Event event) {
    ObjectNode node = JSON.createObjectNode();
    time(node, "time", event.tMs());
    node.put("what", event.what());
    ArrayNode tags = node.putArray("tags");
    event.tags().forEach(tags::add);
    return node;
  }

  private static ObjectNode drop(Drop drop) {
    ObjectNode node = JSON.createObjectNode();
    node.put("reason", drop.reason().key());
    if (drop.ident() != null) {
      node.put("ident", drop.ident());
    }
    drop.tMs().ifPresent(ms -> time(node, "time", ms));
    node.put("detail", drop.detail());
    node.put("excerpt", drop.excerpt());
    return node;
  }

  private static ObjectNode summary(SampleSummary summary) {
    ObjectNode node = JSON.createObjectNode();
    node.put("records", summary.records());
    node.put("points", summary.stored());
    ObjectNode dropped = node.putObject("dropped");
    summary.dropped().forEach((reason, count) -> dropped.put(reason.key(), count));
    node.put("series", summary.spread().series());
    node.put("series_in_several_records", summary.spread().inSeveralRecords());
    node.put("series_in_several_partitions", summary.spread().inSeveral().size());
    node.put("records_without_key", summary.keys().without());
    node.put("distinct_keys", summary.keys().different());
    ArrayNode positions = node.putArray("key_equals");
    summary.keys().positions().forEach(positions::add);
    lag(node, "lag_min_ms", summary.age().quantile(0));
    lag(node, "lag_median_ms", summary.age().quantile(0.5));
    lag(node, "lag_max_ms", summary.age().quantile(1));
    return node;
  }

  private static void lag(ObjectNode node, String name, OptionalLong ms) {
    ms.ifPresent(present -> node.put(name, present));
  }

  private static void time(ObjectNode node, String name, long ms) {
    node.put(name, Instant.ofEpochMilli(ms).toString());
    node.put(name + "_ms", ms);
  }
}
