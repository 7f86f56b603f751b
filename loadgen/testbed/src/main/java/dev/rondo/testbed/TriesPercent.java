package dev.rondo.testbed;

import net.jqwik.api.lifecycle.AroundPropertyHook;
import net.jqwik.api.lifecycle.PropagationMode;
import net.jqwik.api.lifecycle.PropertyExecutionResult;
import net.jqwik.api.lifecycle.PropertyExecutor;
import net.jqwik.api.lifecycle.PropertyLifecycleContext;

/**
 * Scales the tries of each property to {@code rondo.tries.percent} of those that it names: the same
 * properties serve a run of minutes and a long one.
 */
public final class TriesPercent implements AroundPropertyHook {
  private static final String KEY = "rondo.tries.percent";
  private static final int DEFAULT_TRIES = 1000;
  private static final int LEAST = 10;

  @Override
  public PropagationMode propagateTo() {
    return PropagationMode.ALL_DESCENDANTS;
  }

  @Override
  public PropertyExecutionResult aroundProperty(
      PropertyLifecycleContext context, PropertyExecutor property) {
    var attributes = context.attributes();
    int tries = attributes.tries().orElse(DEFAULT_TRIES);
    attributes.setTries(of(tries));
    return property.execute();
  }

  /** That share of tries, for a test that counts them itself. */
  public static int of(int tries) {
    return scaled(tries, Integer.getInteger(KEY, 100));
  }

  /** At least {@value #LEAST}, unless there are fewer. */
  static int scaled(int tries, int percent) {
    return Math.max(Math.min(tries, LEAST), Math.toIntExact((long) tries * percent / 100));
  }
}
