package dev.rondo.bench.points;

import java.util.concurrent.Callable;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.options.CommandLineOptions;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** JMH benchmarks of the work per point, with allocated bytes. */
@Command(
    name = "points",
    description = {
      "Measures the CPU time and allocation of decoding and consolidating a point.",
      "",
      "ClientBenchmark measures updates of the client for Java. Uses JMH and accepts its options, "
          + "such as -f 1, or a regular expression of benchmarks."
    })
public final class PointsCommand implements Callable<Integer> {
  @Parameters(
      paramLabel = "JMH-OPTION",
      description = "Options of JMH, such as a regular expression of benchmarks.")
  private String[] options = {};

  @Override
  public Integer call() throws Exception {
    String[] all = new String[options.length + 2];
    all[0] = "-prof";
    all[1] = "gc";
    System.arraycopy(options, 0, all, 2, options.length);
    new Runner(new CommandLineOptions(all)).run();
    return 0;
  }
}
