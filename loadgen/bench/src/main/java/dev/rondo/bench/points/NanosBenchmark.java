package dev.rondo.bench.points;

import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * How each benchmark of {@code ./rondo bench points} runs: the average time of an operation, ns.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(
    value = 2,
    jvmArgs = {
      "-Xmx2g",
      "-Dlog4j2.configurationFile=classpath:dev/rondo/connection/command/log4j2.properties"
    })
@Warmup(iterations = 5, time = 2)
@Measurement(iterations = 5, time = 2)
public abstract class NanosBenchmark {}
