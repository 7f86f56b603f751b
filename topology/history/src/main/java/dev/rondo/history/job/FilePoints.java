package dev.rondo.history.job;

import com.github.luben.zstd.ZstdInputStream;
import dev.rondo.tools.command.CommandException;
import dev.rondo.topology.config.TopologyConfig;
import java.io.BufferedInputStream;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.zip.GZIPInputStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** Sends the lines of files to a topic, from which a job reads them as any points. */
final class FilePoints {
  /** Formats with one or more points a line. */
  private static final Set<String> FORMATS = Set.of("graphite", "influx", "putval", "json");

  /** Keeps each byte as a character: what is not UTF-8 is for the decoder to refuse. */
  private static final Charset BYTES = StandardCharsets.ISO_8859_1;

  private static final int MOST_BYTES = 64 * 1024;
  private static final String JSON = "json";

  private final TopologyConfig config;
  private final String topic;
  private final String format;

  FilePoints(TopologyConfig config, String topic, String format) {
    this.config = config;
    this.topic = topic;
    this.format = format;
  }

  /** Checks that the files can be read, and their format. */
  static void check(List<Path> files, String format) {
    if (format == null || !FORMATS.contains(format)) {
      throw CommandException.misuse(
          "files hold lines of graphite, influx, putval or json, not of %s (--format)"
              .formatted(format == null ? "an unknown format" : format));
    }
    for (Path file : files) {
      if (!Files.isReadable(file) || Files.isDirectory(file)) {
        throw CommandException.misuse("there is no readable file %s (--file)".formatted(file));
      }
    }
  }

  /** Makes the topic, sends all lines in order, and returns their number. */
  long send(Admin admin, List<Path> files)
      throws IOException, ExecutionException, InterruptedException {
    // one partition: the points of a series stay in the order of the files
    var created = new NewTopic(topic, java.util.Optional.of(1), java.util.Optional.empty());
    admin
        .createTopics(List.of(created.configs(Map.of(TopicConfig.RETENTION_MS_CONFIG, "-1"))))
        .all()
        .get();
    Map<String, Object> properties = new HashMap<>(config.writer());
    properties.put(ProducerConfig.LINGER_MS_CONFIG, 20);
    long lines = 0;
    try (Producer<byte[], byte[]> producer =
        new KafkaProducer<>(properties, new ByteArraySerializer(), new ByteArraySerializer())) {
      Sending sending = new Sending(producer);
      for (Path file : files) {
        try (BufferedReader reader = new BufferedReader(new InputStreamReader(open(file), BYTES))) {
          for (String line = reader.readLine(); line != null; line = reader.readLine()) {
            if (!line.isBlank()) {
              sending.add(line);
              lines++;
            }
          }
        } catch (NoSuchFileException e) {
          throw CommandException.refused("the file %s is gone (--file)".formatted(file));
        }
      }
      sending.end();
    }
    return lines;
  }

  private static InputStream open(Path file) throws IOException {
    InputStream bytes = new BufferedInputStream(Files.newInputStream(file));
    String name = file.getFileName().toString();
    if (name.endsWith(".gz")) {
      return new GZIPInputStream(bytes);
    }
    return name.endsWith(".zst") ? new ZstdInputStream(bytes).setContinuous(true) : bytes;
  }

  /** Gathers lines into records; a JSON document is a record of its own. */
  private final class Sending {
    private final Producer<byte[], byte[]> producer;
    private final StringBuilder record = new StringBuilder();
    private volatile Exception failure;

    Sending(Producer<byte[], byte[]> producer) {
      this.producer = producer;
    }

    void add(String line) {
      record.append(line).append('\n');
      if (record.length() > MOST_BYTES || format.equals(JSON)) {
        flush();
      }
    }

    private void flush() {
      byte[] value = record.toString().getBytes(BYTES);
      record.setLength(0);
      var unused =
          producer.send(
              new ProducerRecord<>(topic, value),
              (metadata, e) -> failure = e == null ? failure : e);
    }

    void end() {
      if (!record.isEmpty()) {
        flush();
      }
      producer.flush();
      if (failure != null) {
        throw CommandException.refused(
            "a record could not be sent to %s: %s".formatted(topic, failure.getMessage()));
      }
    }
  }
}
