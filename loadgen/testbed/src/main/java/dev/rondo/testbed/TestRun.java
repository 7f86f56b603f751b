package dev.rondo.testbed;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.rondo.embedded.ChildProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionEvaluationListener;
import org.awaitility.core.EvaluatedCondition;
import org.awaitility.core.TimeoutEvent;
import org.awaitility.pollinterval.IterativePollInterval;
import org.awaitility.pollinterval.PollInterval;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.LifecycleMethodExecutionExceptionHandler;
import org.junit.jupiter.api.extension.TestExecutionExceptionHandler;
import org.opentest4j.TestAbortedException;

/**
 * Extends every test class of a module that has this one on its class path: keeps the {@link
 * Journal}, gives waits a generous bound, removes what a class has on the shared servers, and when
 * a test fails writes the state of all parts to {@code target/test-failures} of the checkout.
 */
public final class TestRun
    implements BeforeAllCallback,
        AfterAllCallback,
        TestExecutionExceptionHandler,
        LifecycleMethodExecutionExceptionHandler {
  /** Bound of a wait that names none. A test that passes does not pay for it. */
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private static final Duration LONGEST_POLL = Duration.ofMillis(500);

  /** Longer and longer: asking takes CPU time from what is awaited. */
  private static final PollInterval POLL_INTERVAL =
      IterativePollInterval.iterative(
          interval -> Collections.min(List.of(interval.multipliedBy(5).dividedBy(4), LONGEST_POLL)),
          Duration.ofMillis(50));

  private static final Journal JOURNAL = Journal.ofThisJvm();
  private static final Parts PARTS = new Parts(JOURNAL);

  static {
    ChildProcess.observe(PARTS);
    Awaitility.setDefaultTimeout(PATIENCE);
    Awaitility.setDefaultPollInterval(POLL_INTERVAL);
    Awaitility.setDefaultConditionEvaluationListener(new Waits());
  }

  @Override
  public void beforeAll(ExtensionContext context) {
    if (isOutermost(context)) {
      PARTS.begin(context.getRequiredTestClass().getName());
    }
  }

  @Override
  public void afterAll(ExtensionContext context) {
    if (isOutermost(context)) {
      ClassResources.close();
    }
  }

  private static boolean isOutermost(ExtensionContext context) {
    return context.getRequiredTestClass().getEnclosingClass() == null;
  }

  @Override
  public void handleTestExecutionException(ExtensionContext context, Throwable failure)
      throws Throwable {
    describe(context, failure);
    throw failure;
  }

  @Override
  public void handleBeforeAllMethodExecutionException(ExtensionContext context, Throwable failure)
      throws Throwable {
    describe(context, failure);
    throw failure;
  }

  @Override
  public void handleBeforeEachMethodExecutionException(ExtensionContext context, Throwable failure)
      throws Throwable {
    describe(context, failure);
    throw failure;
  }

  private static void describe(ExtensionContext context, Throwable failure) {
    if (failure instanceof TestAbortedException) {
      return; // skipped
    }
    String method = context.getTestMethod().map(each -> each.getName()).orElse("before-all");
    String name = "%s#%s".formatted(context.getRequiredTestClass().getName(), method);
    Path file = Checkout.root().resolve("target/test-failures").resolve(name + ".txt");
    String text =
        "%s: %s%n%n%s%n%n%s".formatted(name, context.getDisplayName(), failure, PARTS.describe());
    try {
      Files.createDirectories(file.getParent());
      Files.writeString(file, text, UTF_8);
    } catch (IOException e) {
      System.err.println("testbed: could not write " + file + ": " + e);
    }
  }

  /** Adds up waits for conditions. */
  private static final class Waits implements ConditionEvaluationListener<Object> {
    private static final Duration WORTH_A_LINE = Duration.ofMillis(20);

    @Override
    public void conditionEvaluated(EvaluatedCondition<Object> condition) {
      if (condition.isSatisfied()) {
        record(condition.getAlias(), condition.getElapsedTimeInMS());
      }
    }

    @Override
    public void onTimeout(TimeoutEvent timeout) {
      record(timeout.getAlias(), timeout.getElapsedTimeInMS());
    }

    private static void record(String alias, long elapsedMs) {
      if (elapsedMs >= WORTH_A_LINE.toMillis()) {
        JOURNAL.waited(PARTS.testClass(), alias == null ? "" : alias, Duration.ofMillis(elapsedMs));
      }
    }
  }
}
