package dev.rondo.loadgen;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rondo.embedded.FreePort;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;
import picocli.CommandLine.ExitCode;

/**
 * Invalid options are rejected before anything is sent, with the value and the option to change.
 */
class BadInputTest {
  @TempDir Path dir;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "--series=0                          | 0 is not between 1 and 50000000 (--series)",
        "--rate=0                            | 0 is not between 0.001 and 100000000 (--rate)",
        "--rate=1 --seconds=0.5              | give no point (--rate, --seconds)",
        "--batch=10001                       | 10001 is not between 1 and 10000 (--batch)",
        "--run=a.b                           | 'a.b' is not 1 to 32 letters, digits or _ (--run)",
        "--jitter=0.3                        | the shape steady has no jitter (--jitter, --shape)",
        "--shape=late --late-share=1.5       | 1.5 is not between 0.0 and 1.0 (--late-share)",
        "--shape=gaps --gap-ticks=0          | 0.0 is not a whole number from 1",
        "--shape=jitter --jitter=1           | leaves less than 2 ms of it",
        "--shape=none                        | '--shape'",
        "--format=carbon                     | '--format'",
        "--batch=10 --keys=series            | (--keys, --batch)",
        "--batch=101 --keys=machine          | several machines of 100 series",
        "--batch=101 --format=influx         | (--batch, --metrics, --format)",
        "--format=metrictank --rate=20000    | the format metrictank has whole seconds only",
        "--keys=random --rate=20000          | with random keys they may arrive out of order",
        "--start=yesterday                   | 'yesterday' is not a time",
        "--start=next-0s                     | next-0 is not a time",
        "--start=next-10                     | 'next-10' is not a time",
        "--start=-10s --flat-out             | give a --start at least 60 s back",
        "--clock-skew=fast                   | 'fast' is not a length of time such as 30s, 1m or 6h (--clock-skew)",
        "--rehearse=-1                       | -1 is less than 0 (--rehearse)",
        "--one-of=0                          | 0 is not between 1 and 10000 (--one-of)",
        "--one-of=2 --batch=10               | --one-of needs one point a record",
        "--graphite=here:2003                | lines are sent in the format graphite, not native (--graphite, --format)",
        "--graphite=here --format=graphite   | 'here' is not HOST:PORT (--graphite)",
        "--seconds=1                         | no Rondo has been started in",
      })
  void shouldNameWhatToChange(String options, String expected) {
    var errors = new StringWriter();
    CommandLine command = Loadgen.commandLine().setErr(new PrintWriter(errors, true));
    String[] arguments = (options.strip() + " --dir=" + dir).split(" +");

    assertThat(command.execute(arguments)).isEqualTo(ExitCode.USAGE);
    assertThat(errors.toString()).contains(expected).endsWith("; ./rondo loadgen --help\n");
    assertThat(dir).isEmptyDirectory();
  }

  @Test
  void shouldNotOverwriteThePlanOfAnEarlierRun() throws IOException {
    var errors = new StringWriter();
    CommandLine command = Loadgen.commandLine().setErr(new PrintWriter(errors, true));
    Path plan = Files.createDirectories(dir.resolve("loadgen")).resolve("x.json");
    Files.writeString(plan, "earlier");

    assertThat(command.execute("--run=x", "--dir=" + dir)).isEqualTo(ExitCode.USAGE);
    assertThat(errors.toString()).contains(plan + " is the plan of an earlier run", "--force");
    assertThat(command.execute("--run=x", "--force", "--dir=" + dir)).isEqualTo(ExitCode.USAGE);
    assertThat(errors.toString()).contains("no Rondo has been started in");
    assertThat(plan).hasContent("earlier");
  }

  @Test
  void shouldSayWhatKafkaDidNotAnswer() {
    var errors = new StringWriter();
    CommandLine command = Loadgen.commandLine().setErr(new PrintWriter(errors, true));
    int code =
        command.execute(
            "--kafka=127.0.0.1:" + FreePort.choose(),
            "--producer=request.timeout.ms=100",
            "--producer=default.api.timeout.ms=100",
            "--seconds=1",
            "--dir=" + dir);
    assertThat(code).isEqualTo(ExitCode.SOFTWARE);
    assertThat(errors.toString()).contains("did not answer (--kafka): Timed out");
  }
}
