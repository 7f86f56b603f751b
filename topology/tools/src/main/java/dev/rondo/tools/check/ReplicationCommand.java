package dev.rondo.tools.check;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rondo.connection.kafka.ReplicationCheck;
import dev.rondo.connection.kafka.Weakness;
import dev.rondo.tools.command.CheckSettings;
import dev.rondo.tools.command.CommandException;
import dev.rondo.tools.command.CommandOutput;
import dev.rondo.topology.config.TopologyConfig;
import dev.rondo.topology.topics.TopicReplication;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Prints topics that do not survive the loss of a broker. */
@Command(
    name = "replication",
    description = {
      "Checks that the loss of one broker neither loses records nor stops producers.",
      "",
      "Checks replication factor and min.insync.replicas of the sources and of the topics of "
          + "Rondo, Connect and Kafka. Prints the commands that correct them, and changes nothing."
    },
    footer = {"Exit code 0 if all is well, 1 if not or on failure, 2 on wrong usage."})
final class ReplicationCommand implements Callable<Integer> {
  private static final ObjectMapper JSON = new ObjectMapper();

  @Option(
      names = "--output",
      paramLabel = "FILE",
      description =
          "Write a reassignment that adds the missing replicas there, for"
              + " kafka-reassign-partitions.sh; FILE must not exist.")
  private Path output;

  @Option(names = "--json", description = "Print one JSON object, for programs.")
  private boolean json;

  @Mixin private CheckSettings settings;

  @Mixin private final CommandOutput out = new CommandOutput();

  @Override
  public Integer call() throws IOException, ExecutionException, InterruptedException {
    if (output != null && Files.exists(output)) {
      throw CommandException.misuse("%s exists already (--output)".formatted(output));
    }
    TopologyConfig config = settings.read();
    ReplicationCheck check;
    try (Admin admin = Admin.create(config.admin())) {
      check = TopicReplication.check(admin, config);
    }
    String bootstrap = config.kafka().bootstrap();
    if (output != null) {
      Files.writeString(output, reassignment(check));
    }
    if (json) {
      out.line(json(check, bootstrap));
    } else {
      out.line(
          "%d topics on %d brokers: %s"
              .formatted(
                  check.topics(),
                  check.brokers().size(),
                  check.weaknesses().isEmpty()
                      ? "as well replicated as the cluster allows"
                      : "see below"));
      for (Weakness weakness : check.weaknesses()) {
        out.line("");
        out.line(weakness.text());
        weakness.remedy(bootstrap).forEach(command -> out.line("  " + command));
      }
    }
    return check.weaknesses().isEmpty() ? ExitCode.OK : ExitCode.SOFTWARE;
  }

  private static String json(ReplicationCheck check, String bootstrap) {
    ObjectNode root = JSON.createObjectNode();
    root.put("brokers", check.brokers().size());
    root.put("topics", check.topics());
    ArrayNode weaknesses = root.putArray("weaknesses");
    for (Weakness weakness : check.weaknesses()) {
      ObjectNode one = weaknesses.addObject();
      one.put("kind", weakness.kind().name().toLowerCase(Locale.ROOT));
      one.put("replicas", weakness.replicas());
      one.put("replicas_wanted", weakness.wanted());
      one.put("min_insync_replicas", weakness.minInSync());
      weakness.topics().forEach(one.putArray("topics")::add);
      weakness.remedy(bootstrap).forEach(one.putArray("commands")::add);
    }
    return root.toPrettyString();
  }

  /** The format of kafka-reassign-partitions.sh. */
  private static String reassignment(ReplicationCheck check) {
    ObjectNode root = JSON.createObjectNode();
    root.put("version", 1);
    ArrayNode partitions = root.putArray("partitions");
    check
        .more()
        .forEach(
            (partition, replicas) -> {
              ObjectNode one = partitions.addObject();
              one.put("topic", partition.topic()).put("partition", partition.partition());
              replicas.forEach(one.putArray("replicas")::add);
            });
    return root.toPrettyString();
  }
}
