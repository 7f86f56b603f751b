package dev.rondo.connect.postgres.harness;

import dev.rondo.connect.postgres.PostgresSinkTask;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** Tests of a task without a dead-letter queue; each begins with an empty database. */
public abstract class TaskTest {
  protected final TestDatabase database = TestDatabase.empty();
  protected PostgresSinkTask task;

  @BeforeEach
  protected void start() {
    task = TaskContext.start(database.taskConfig(), new TaskContext(false));
  }

  @AfterEach
  protected void stop() {
    task.stop();
  }
}
