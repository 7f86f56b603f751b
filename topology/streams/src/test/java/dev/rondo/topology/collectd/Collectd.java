package dev.rondo.topology.collectd;

import dev.rondo.embedded.ChildProcess;
import dev.rondo.embedded.Launch;
import dev.rondo.testbed.KafkaSpace;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** A running collectd that writes to Kafka and also accepts values over its socket. */
final class Collectd implements AutoCloseable {
  private static final Duration START_BOUND = Duration.ofMinutes(2);

  private final Path socket;
  private final ChildProcess process;

  private Collectd(Path socket, ChildProcess process) {
    this.socket = socket;
    this.process = process;
  }

  /** Finds collectd on this machine; its folder is often not in a user's PATH. */
  static Optional<Path> binary() {
    String path = System.getenv().getOrDefault("PATH", "");
    return Stream.concat(Stream.of(path.split(":")), Stream.of("/usr/sbin", "/usr/local/sbin"))
        .map(folder -> Path.of(folder, "collectd"))
        .filter(Files::isExecutable)
        .findFirst();
  }

  /**
   * Starts collectd.
   *
   * @param dir for its settings, socket and log
   * @param formats of write_kafka; each has a source of that name
   */
  static Collectd start(Path binary, Path dir, KafkaSpace kafka, Set<String> formats)
      throws IOException {
    Files.createDirectories(dir);
    Path socket = dir.resolve("collectd.sock");
    Path settings = dir.resolve("collectd.conf");
    Files.writeString(settings, settings(dir, socket, kafka, formats));
    ChildProcess process =
        ChildProcess.start(
            "collectd",
            List.of(binary.toString(), "-f", "-C", settings.toString()),
            Map.of(),
            dir,
            Launch.to(dir.resolve("collectd.log")));
    Collectd collectd = new Collectd(socket, process);
    process.awaitReady(START_BOUND, () -> Files.exists(socket));
    return collectd;
  }

  private static String settings(Path dir, Path socket, KafkaSpace kafka, Set<String> formats) {
    StringBuilder topics = new StringBuilder();
    for (String format : formats) {
      topics.append(
          """
            <Topic "%s">
              Format %s
              StoreRates false
              GraphiteEscapeChar "_"
            </Topic>
          """
              .formatted(kafka.source(format), format));
    }
    return """
        Hostname "web.01"
        FQDNLookup false
        Interval 2
        BaseDir "%s"
        PIDFile "%s/collectd.pid"
        LoadPlugin logfile
        <Plugin logfile>
          LogLevel info
          File STDOUT
        </Plugin>
        LoadPlugin load
        LoadPlugin memory
        LoadPlugin cpu
        LoadPlugin unixsock
        <Plugin unixsock>
          SocketFile "%s"
        </Plugin>
        LoadPlugin write_kafka
        <Plugin write_kafka>
          Property "metadata.broker.list" "%s"
        %s
        </Plugin>
        """
        .formatted(dir, dir, socket, kafka.bootstrap(), topics);
  }

  /**
   * Adds a value as if collectd had read it.
   *
   * @param identifier host/plugin[-instance]/type[-instance]
   * @param values time:value[:value…], epoch seconds
   */
  void put(String identifier, String values) throws IOException {
    try (SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX)) {
      channel.connect(UnixDomainSocketAddress.of(socket));
      String command = "PUTVAL \"%s\" interval=10 %s\n".formatted(identifier, values);
      channel.write(ByteBuffer.wrap(command.getBytes(StandardCharsets.UTF_8)));
      ByteBuffer answer = ByteBuffer.allocate(1024);
      channel.read(answer);
      String text = new String(answer.array(), 0, answer.position(), StandardCharsets.UTF_8);
      if (!text.startsWith("0 ")) {
        throw new IOException("collectd does not take '" + command.strip() + "': " + text);
      }
    }
  }

  @Override
  public void close() {
    process.close();
  }
}
