package dev.rondo.topology.consolidate;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.streams.processor.Cancellable;
import org.apache.kafka.streams.processor.PunctuationType;
import org.apache.kafka.streams.processor.api.ContextualProcessor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;

/** Runs the {@link ConsolidateTask} of a partition by records and two punctuators. */
final class ConsolidateProcessor
    extends ContextualProcessor<Integer, SpecificRecord, Object, Object> {
  private static final Duration RELEASE = Duration.ofMillis(50);
  private static final Duration TICK = Duration.ofMillis(500);

  private final Consolidate.Shared shared;
  private final ConsolidateMetrics metrics;
  private final List<Cancellable> ticks = new ArrayList<>();

  /** Null unless the partition is active. */
  private ConsolidateTask task;

  ConsolidateProcessor(Consolidate.Shared shared) {
    this.shared = shared;
    this.metrics = new ConsolidateMetrics(shared.registry());
  }

  @Override
  public void init(ProcessorContext<Object, Object> context) {
    super.init(context);
    task = new ConsolidateTask(shared, metrics, context);
    if (task.isMerging()) {
      ticks.add(
          context.schedule(RELEASE, PunctuationType.WALL_CLOCK_TIME, now -> task.release(now)));
    }
    ticks.add(context.schedule(TICK, PunctuationType.WALL_CLOCK_TIME, now -> task.tick(now)));
  }

  /**
   * Stops the task, perhaps only until {@link #init} resumes it. Streams may keep the processor,
   * its cancelled punctuators and the stores of a task that becomes a standby: none of them refers
   * to the task. The stores return their memory only when they are closed, because a suspended task
   * may still be committed.
   */
  @Override
  public void close() {
    ticks.forEach(Cancellable::cancel);
    ticks.clear();
    if (task != null) {
      task.close();
      task = null;
    }
  }

  @Override
  public void process(Record<Integer, SpecificRecord> record) {
    task.process(record, context().currentSystemTimeMs());
  }

  /** Returns the state of a series; null if the task does not know it. */
  SeriesState state(String ident) {
    return task.state(ident);
  }
}
