package dev.rondo.topology;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rondo.topology.config.TopologyConfig;
import java.util.Properties;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.FencedInstanceIdException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.streams.errors.StreamsException;
import org.apache.kafka.streams.errors.StreamsUncaughtExceptionHandler.StreamThreadExceptionResponse;
import org.junit.jupiter.api.Test;

class FailureReportTest {
  private final FailureReport report = new FailureReport(config());

  private static TopologyConfig config() {
    Properties properties = new Properties();
    properties.put("bootstrap.servers", "nowhere:1");
    properties.put("state.dir", "nowhere");
    return TopologyConfig.of(properties);
  }

  private int exitCodeAfter(Throwable failure) {
    assertThat(report.handle(failure)).isEqualTo(StreamThreadExceptionResponse.SHUTDOWN_CLIENT);
    return report.exitCode();
  }

  @Test
  void shouldReportADuplicateInstanceIdAsAWrongSetting() {
    assertThat(exitCodeAfter(new FencedInstanceIdException("1-1"))).isEqualTo(2);
  }

  @Test
  void shouldRecogniseItAsACause() {
    var fenced = new KafkaException(new FencedInstanceIdException("1-1"));
    assertThat(exitCodeAfter(new StreamsException("commit", fenced))).isEqualTo(2);
  }

  @Test
  void shouldReportAnyOtherExceptionAsAFailure() {
    assertThat(exitCodeAfter(new StreamsException(new ProducerFencedException("id")))).isEqualTo(1);
    assertThat(exitCodeAfter(new IllegalStateException())).isEqualTo(1);
  }

  @Test
  void shouldStayAWrongSettingWhenAnotherThreadFailsLater() {
    exitCodeAfter(new FencedInstanceIdException("1-1"));
    assertThat(exitCodeAfter(new IllegalStateException())).isEqualTo(2);
  }
}
