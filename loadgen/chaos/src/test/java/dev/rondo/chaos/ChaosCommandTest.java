package dev.rondo.chaos;

import static org.assertj.core.api.Assertions.assertThat;

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

class ChaosCommandTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          --minutes=0          | --minutes is 0.0, not greater than 0
          --minutes=NaN        | --minutes is NaN, not greater than 0
          --pause=-1           | --pause is -1.0 s, less than 0
          --scenario=earth     | there is no scenario 'earth'
          --timestamp-types=x  | --timestamp-types: 'x' is not create or append
          --alerts=x           | --alerts: there is no fault 'x'; there are topology-away, instance-away
          --alerts=api-away --policies=/x | --alerts has its own policies; run it without --policies
          --faults=0           | --faults is 0, less than 1
          --other-version=/no  | --other-version: nothing is built in /no
          --release=/no        | --release: /no has 0 files rondo-[0-9]*.tar.gz, not one
          --policies=/nowhere  | --policies: /nowhere cannot be read
          --brokers=2          | --brokers is 2, not 1 or 3
          --scenario=clocks --brokers=3 | --brokers: clocks sets the clock of the broker
          --scenario=brokers --brokers=1 | --brokers: the scenario brokers needs 3
          --brokers=3 --keep   | --keep: the 3 brokers end with chaos
          --rate=-5            | --rate is -5.0, not greater than 0
          --series=0           | --series is 0, less than 1
          --scenario=policies,grow | --scenario: policies changes its own policies; run it alone
          """)
  void shouldRefuse(String option, String complaint) {
    assertThat(complaintOf(option.split(" "))).contains(complaint).contains("./rondo chaos --help");
  }

  @Test
  void shouldRefuseALoadWhoseSeriesAreSilentForTooLongForThePolicies() {
    assertThat(complaintOf("--scenario=policies", "--series=30000", "--rate=2000"))
        .contains("every 10 s; 30000 series at 2000.0 points/s send one every 15 s");
  }

  @Test
  void shouldNotTouchAnExistingRondo(@TempDir Path dir) throws IOException {
    Files.writeString(dir.resolve("rondo.json"), "{}");
    assertThat(complaintOf("--dir=" + dir)).contains(dir + " already contains a Rondo");
  }

  private static String complaintOf(String... options) {
    var complaints = new StringWriter();
    CommandLine command = Chaos.commandLine().setErr(new PrintWriter(complaints));
    assertThat(command.execute(options)).isEqualTo(ExitCode.USAGE);
    return complaints.toString();
  }
}
