package dev.rondo.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.rondo.embedded.FreePort;
import dev.rondo.embedded.JavaCommand;
import dev.rondo.testbed.KafkaSpace;
import dev.rondo.testbed.TestBed;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** Two instances that have the same {@code instance.id} by mistake. */
@Tag("long")
class InstanceIdIT {
  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  Path dir;

  private final List<Process> instances = new ArrayList<>();
  private final KafkaSpace kafka = TestBed.kafka();
  private final String points = kafka.source("points");
  private UnkeyedLoad load;

  @BeforeEach
  void start() throws Exception {
    load = new UnkeyedLoad(kafka.bootstrap(), points, 1);
    load.resume(); // so that each instance commits more often than it sends a heartbeat
  }

  @AfterEach
  void stop() {
    instances.forEach(instance -> instance.destroyForcibly().onExit().join());
    load.close();
  }

  /** Starts an instance and waits until it runs. */
  private Process instance(String name) throws IOException {
    int port = FreePort.choose();
    Path file = dir.resolve(name + ".properties");
    Files.writeString(
        file,
        """
        bootstrap.servers=%s
        rondo.prefix=%s
        sources=%s=graphite
        state.dir=%s
        http.port=%d
        partitions=1
        """
            .formatted(kafka.bootstrap(), kafka.prefix(), points, dir.resolve(name), port));
    Process instance =
        new ProcessBuilder(
                JavaCommand.of(
                    System.getProperty("java.class.path"),
                    List.of("-Xmx256m", "-Dlog4j2.configurationFile=log4j2.properties"),
                    Main.class.getName(),
                    file.toString()))
            .redirectOutput(dir.resolve(name + ".log").toFile())
            .redirectError(dir.resolve(name + ".stderr").toFile())
            .start();
    instances.add(instance);
    await().ignoreExceptions().until(() -> health(port).contains("RUNNING"));
    return instance;
  }

  private static String health(int port) throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/health")).build();
    return HttpClient.newHttpClient().send(request, BodyHandlers.ofString()).body();
  }

  @Test
  void shouldStopTheFirstWithAWrongSettingAndKeepTheSecond() throws Exception {
    Process first = instance("first");
    Process second = instance("second");
    assertThat(first.waitFor(3, TimeUnit.MINUTES)).isTrue();
    assertThat(first.exitValue()).isEqualTo(2);
    assertThat(dir.resolve("first.stderr"))
        .content()
        .contains(
            "another instance with application.id '%s' and instance.id '1' has started"
                .formatted(kafka.prefix()));
    assertThat(second.isAlive()).isTrue();
  }
}
