package dev.rondo.tools.send;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.rondo.schemas.Topics;
import dev.rondo.tools.command.CommandOutput;
import dev.rondo.tools.command.MissingTopic;
import dev.rondo.tools.command.TopologySettings;
import dev.rondo.topology.config.TopologyConfig;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The command {@code ./rondo send}. */
@Command(
    name = "send",
    description = {
      "Sends lines to a topic, such as a first point.",
      "",
      "Each line is a record, in any format whose records are text: to try a source without "
          + "Kafka's tools."
    },
    footer = {
      "A line of Graphite is 'NAME VALUE TIME', where TIME is epoch seconds, or N, now:",
      "",
      "  ./rondo send 'app.web1.load 0.7 N'",
      "  while sleep 5; do echo 'app.web1.load 0.7 N'; done | ./rondo send",
      "",
      "A value holds since the point before, so a graph begins with the second point.",
      "",
      "Exit code 0 when Kafka has all lines, 1 when it does not or the command failed, 2 on wrong"
          + " usage."
    })
public final class SendCommand implements Callable<Integer> {
  @Parameters(
      paramLabel = "LINE",
      description = "Lines to send (default: those of standard input, as they arrive).")
  private List<String> lines = List.of();

  @Option(
      names = "--topic",
      paramLabel = "TOPIC",
      description = "Topic, which must exist (default: points).")
  private String topic;

  @Option(
      names = "--key",
      paramLabel = "KEY",
      description = "Key of the records (default: none, so that they go to any partition).")
  private String key;

  @Mixin private final TopologySettings settings = new TopologySettings();

  @Mixin private final CommandOutput out = new CommandOutput();

  @Override
  public Integer call() throws IOException, ExecutionException, InterruptedException {
    TopologyConfig config = settings.connect();
    topic = topic == null ? Topics.POINTS.name() : topic;
    requireTopic(config);
    int sent = 0;
    try (var producer =
        new KafkaProducer<>(config.writer(), new StringSerializer(), new ByteArraySerializer())) {
      Stream<byte[]> all =
          lines.isEmpty()
              ? read(System.in)
              : lines.stream().filter(line -> !line.isBlank()).map(line -> line.getBytes(UTF_8));
      for (Iterator<byte[]> each = all.iterator(); each.hasNext(); sent++) {
        producer.send(new ProducerRecord<>(topic, key, each.next())).get();
      }
    }
    out.line("sent %d records to %s".formatted(sent, topic));
    return ExitCode.OK;
  }

  /** The lines that are not blank, byte by byte: what is not UTF-8 is for the source to refuse. */
  static Stream<byte[]> read(InputStream in) {
    return new BufferedReader(new InputStreamReader(in, ISO_8859_1))
        .lines()
        .filter(line -> !line.isBlank())
        .map(line -> line.getBytes(ISO_8859_1));
  }

  /** A producer would create the topic, with as many partitions as the broker likes. */
  private void requireTopic(TopologyConfig config) throws ExecutionException, InterruptedException {
    try (Admin admin = Admin.create(config.admin())) {
      MissingTopic.check(topic, admin.listTopics().names().get(), "");
    }
    if (config.sourceRules().of(topic).isEmpty()) {
      System.err.println("topic '%s' is no source: nothing reads what is sent".formatted(topic));
    }
  }
}
