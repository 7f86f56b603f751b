package dev.rondo.host;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

class HostCollectorTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "--interval | 0s    | interval 0 ms is not a whole number of seconds, 1 s or more",
        "--interval | 1.5s  | interval 1500 ms is not a whole number of seconds, 1 s or more",
        "--interval | 10    | '10' is not a duration such as 10s, 1m or 1m30s",
        "--max-part-series | 0 | max-part-series is 0, below 1 (--max-part-series)",
        "--part     | api   | 'api' is not PART=http://HOST:PORT/PATH, such as topology=http://",
        "--part     | http://127.0.0.1:8889/metrics | is not PART=http://HOST:PORT/PATH",
        "--part     | api=http://127.0.0.1/metrics | is not PART=http://HOST:PORT/PATH",
        "--part     | api=file:///etc/passwd | is not PART=http://HOST:PORT/PATH",
        "--part     | a.b=http://127.0.0.1:8889/metrics | is not PART=http://HOST:PORT/PATH",
        "--part-token | api=token | no --part is 'api' (--part-token)",
        "--prefix   | a..b  | prefix 'a..b' is not made of nodes of letters, digits, _ and - separated",
      })
  void shouldRejectInvalidOptions(String option, String value, String message) {
    var errors = new StringWriter();
    var command = new CommandLine(new HostCollector()).setErr(new PrintWriter(errors, true));

    int code = command.execute(option, value);

    assertThat(code).isEqualTo(CommandLine.ExitCode.USAGE);
    assertThat(errors.toString()).contains(message).contains(option);
  }

  @Test
  void shouldRejectOptionsThatPublishNothing() {
    var errors = new StringWriter();
    var command = new CommandLine(new HostCollector()).setErr(new PrintWriter(errors, true));

    assertThat(command.execute("--no-host")).isEqualTo(CommandLine.ExitCode.USAGE);
    assertThat(errors.toString()).contains("there is nothing to publish: --no-host needs a --part");
  }
}
