package dev.rondo.tools.check.cluster;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rondo.tools.size.SourceCost;
import java.util.Locale;

/** Prints proposals as one JSON object. */
public final class ClusterJson {
  private static final ObjectMapper JSON = new ObjectMapper();

  private ClusterJson() {}

  public static String of(ClusterCheck check) {
    ObjectNode root = JSON.createObjectNode();
    ArrayNode sources = root.putArray("sources");
    ArrayNode others = root.putArray("others");
    for (TopicProposal topic : check.topics()) {
      topic
          .refusal()
          .ifPresentOrElse(
              why ->
                  others
                      .addObject()
                      .put("topic", topic.topic())
                      .put("reason", why.kind().name().toLowerCase(Locale.ROOT))
                      .put("detail", why.detail()),
              () -> {
                ObjectNode source = sources.addObject();
                source(source, topic);
                ArrayNode hints = source.putArray("hints");
                check.weakness(topic).ifPresent(hints::add);
              });
    }
    root.put("internal", check.internal());
    load(root.putObject("all"), check.pointsPerSecond(), check.series(), check.cost());
    return root.toPrettyString();
  }

  private static void source(ObjectNode node, TopicProposal topic) {
    topic.settings().forEach((key, value) -> node.set(key, JSON.valueToTree(value)));
    node.put("keyed", topic.keyed().isKeyed());
    node.put("keyed_why", topic.keyed().why());
    node.put("timestamp_type", topic.timestampType().toString());
    node.put("records_per_second", topic.recordsPerSecond());
    load(node, topic.pointsPerSecond(), topic.series(), topic.cost());
  }

  private static void load(
      ObjectNode node, double pointsPerSecond, SeriesEstimate series, SourceCost cost) {
    node.put("points_per_second", pointsPerSecond);
    node.put("series", series.series());
    node.put("series_is_least", series.isLeast());
    node.put("cores", cost.cores());
    node.put("rows_per_second", cost.rowsPerSecond());
    node.put("disk_bytes", cost.diskBytes());
  }
}
