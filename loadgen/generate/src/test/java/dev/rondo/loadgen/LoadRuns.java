package dev.rondo.loadgen;

import dev.rondo.embedded.JavaCommand;
import dev.rondo.embedded.NewTopics;
import dev.rondo.testbed.KafkaSpace;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.TopicPartition;

/**
 * Runs of the command against a broker, and what they leave.
 *
 * @param dir of the plans
 */
record LoadRuns(KafkaSpace kafka, Path dir) {
  private static final int PARTITIONS = 4;

  /** The packaged command. */
  private static final String CLASS_PATH = "target/*:target/lib/*";

  /** Returns the topic, whose name ends with this one. */
  String newTopic(String name) throws Exception {
    String topic = kafka.source(name);
    try (Admin admin = Admin.create(kafka.client())) {
      NewTopics.create(admin, List.of(new NewTopic(topic, PARTITIONS, (short) 1)));
    }
    return topic;
  }

  List<String> arguments(String topic, String... more) {
    List<String> arguments =
        new ArrayList<>(List.of("--kafka", kafka.bootstrap(), "--topic", topic));
    arguments.addAll(List.of("--plan", planFile(topic).toString()));
    arguments.addAll(List.of(more));
    return arguments;
  }

  Path planFile(String topic) {
    return dir.resolve("plans").resolve(topic + ".json");
  }

  /** Runs the command in this process; returns its exit code. */
  int execute(List<String> arguments, String... more) {
    List<String> all = new ArrayList<>(arguments);
    all.addAll(List.of(more));
    return Loadgen.commandLine().execute(all.toArray(String[]::new));
  }

  /** Starts the command as a process that runs for ten minutes if it is not ended. */
  Process start(String topic, Path out, String... load) throws IOException {
    List<String> command =
        JavaCommand.of(CLASS_PATH, List.of("-Xmx256m"), Loadgen.class.getName(), "loadgen");
    command.addAll(arguments(topic, load));
    command.addAll(List.of("--seconds", "600", "--json"));
    return new ProcessBuilder(command)
        .redirectOutput(out.toFile())
        .redirectError(Redirect.INHERIT) // a pipe that nobody reads would fill up
        .start();
  }

  /** Number of records of a new topic. */
  long records(String topic) throws IOException {
    try (Admin admin = Admin.create(kafka.client())) {
      long records = 0;
      for (int partition = 0; partition < PARTITIONS; partition++) {
        var topicPartition = new TopicPartition(topic, partition);
        records +=
            admin
                .listOffsets(Map.of(topicPartition, OffsetSpec.latest()))
                .partitionResult(topicPartition)
                .get()
                .offset();
      }
      return records;
    } catch (Exception e) {
      throw new IOException(e);
    }
  }

  /** All that the topic holds. */
  TopicPoints found(String topic, String format) {
    return TopicPoints.read(kafka.bootstrap(), topic, format);
  }
}
