package dev.rondo.history.whisper;

import dev.rondo.history.slots.SlotSession;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;

/** Writes segments side by side, each worker with a connection of its own. */
final class SegmentWorkers {
  private final Path dir;
  private final Supplier<SegmentImport> imports;
  private final ImportState state;
  private final ImportReport report;
  private final ImportProgress progress;

  /** Opens a connection of a worker. */
  @FunctionalInterface
  interface Connections {
    Connection open() throws IOException, SQLException;
  }

  /**
   * @param imports makes one for each worker
   */
  SegmentWorkers(
      Path dir,
      Supplier<SegmentImport> imports,
      ImportState state,
      ImportReport report,
      ImportProgress progress) {
    this.dir = dir;
    this.imports = imports;
    this.state = state;
    this.report = report;
    this.progress = progress;
  }

  /** Writes those that are not written yet, first the ones that no earlier import has written. */
  void write(Collection<SegmentFiles> segments, int workers, Connections connections)
      throws ExecutionException, InterruptedException {
    List<SegmentFiles> ordered = new ArrayList<>(segments);
    ordered.sort(Comparator.comparing(segment -> state.has(segment.key())));
    Queue<SegmentFiles> open = new ConcurrentLinkedQueue<>(ordered);
    ExecutorService threads = Executors.newFixedThreadPool(workers);
    try {
      var running = new ExecutorCompletionService<Void>(threads);
      for (int n = 0; n < workers; n++) {
        running.submit(() -> work(open, connections));
      }
      for (int n = 0; n < workers; n++) {
        running.take().get();
      }
    } finally {
      threads.shutdownNow();
    }
  }

  private Void work(Queue<SegmentFiles> open, Connections connections)
      throws IOException, SQLException, InterruptedException {
    try (Connection connection = connections.open()) {
      SlotSession session = SlotSession.open(connection);
      SegmentImport segmentImport = imports.get();
      for (SegmentFiles segment = open.poll(); segment != null; segment = open.poll()) {
        String stateOfFiles = segment.stateOfFiles(dir);
        if (!state.isDone(segment.key(), stateOfFiles)) {
          segmentImport.write(session, segment);
          state.finish(segment.key(), stateOfFiles);
          report.files.add(segment.members().size());
        }
        progress.add(segment.members().size());
      }
    }
    return null;
  }
}
