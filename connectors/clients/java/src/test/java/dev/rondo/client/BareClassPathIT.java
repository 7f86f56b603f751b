package dev.rondo.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.rondo.embedded.FreePort;
import dev.rondo.embedded.JavaCommand;
import dev.rondo.embedded.NewTopics;
import dev.rondo.testbed.KafkaSpace;
import dev.rondo.testbed.TestBed;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

/** An application without the libraries of kafka-clients, and without an slf4j provider. */
class BareClassPathIT {
  private static final Pattern BARE =
      Pattern.compile(
          ".*/(connectors/clients/java/target/((test-)?classes|rondo-client[^/]*)|(rondo-)?schemas[^/]*(/target/classes)?"
              + "|(HdrHistogram|kafka-clients|slf4j-api)[^/]*)");

  private record Ended(int exit, String output) {}

  private static Process start(String bootstrap, String... settings) throws IOException {
    String classPath =
        Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
            .filter(BARE.asMatchPredicate())
            .collect(Collectors.joining(File.pathSeparator));
    String[] arguments =
        Stream.concat(Stream.of("bootstrap.servers=" + bootstrap), Stream.of(settings))
            .toArray(String[]::new);
    return new ProcessBuilder(
            JavaCommand.of(classPath, JavaCommand.SMALL, Shop.class.getName(), arguments))
        .redirectErrorStream(true)
        .start();
  }

  private static Ended end(Process shop) throws IOException, InterruptedException {
    shop.getOutputStream().close();
    String output = new String(shop.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Ended(shop.waitFor(), output);
  }

  private static Ended runWithoutKafka(String... settings)
      throws IOException, InterruptedException {
    return end(start("127.0.0.1:" + FreePort.choose(), settings));
  }

  @Test
  void shouldPublishWithoutACompressionLibrary() throws Exception {
    KafkaSpace kafka = TestBed.kafka();
    String topic = kafka.source("points");
    var partition = new TopicPartition(topic, 0);
    var end = Map.of(partition, OffsetSpec.latest());
    try (Admin admin = Admin.create(kafka.client())) {
      NewTopics.create(admin, Set.of(new NewTopic(topic, 1, (short) 1)));
      Process shop = start(kafka.bootstrap(), "rondo.client.topic=" + topic);
      try {
        await("a record of the shop")
            .atMost(Duration.ofMinutes(3))
            .until(() -> admin.listOffsets(end).partitionResult(partition).get().offset() > 0);
        Ended ended = end(shop);
        assertThat(ended.exit()).as(ended.output()).isZero();
      } finally {
        shop.destroyForcibly();
      }
    }
  }

  @Test
  void shouldRejectACodecWithoutItsLibrary() throws Exception {
    Ended ended = runWithoutKafka("compression.type=zstd");
    assertThat(ended.exit()).as(ended.output()).isNotZero();
    assertThat(ended.output()).contains("compression.type 'zstd'", "com.github.luben:zstd-jni");
  }

  @Test
  void shouldLogUndeliveredPointsAtItsEnd() throws Exception {
    Ended ended = runWithoutKafka();
    assertThat(ended.exit()).as(ended.output()).isZero();
    assertThat(ended.output()).containsPattern("[1-9]\\d* points were not delivered");

    Ended failed = runWithoutKafka("rondo.client.close.fails=true");
    assertThat(failed.exit()).as(failed.output()).isNotZero();
  }
}
