package dev.rondo.topology.clients;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.MultiGauge.Row;
import io.micrometer.core.instrument.Tags;
import java.util.Map;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Sources that are not read for now, by topic, and why. */
public final class SetAsideSources {
  private static final Logger LOG = LoggerFactory.getLogger(SetAsideSources.class);

  private final MultiGauge gauge;
  private Map<String, String> reasons = Map.of();

  public SetAsideSources(MeterRegistry registry) {
    gauge =
        MultiGauge.builder("rondo.sources.set.aside")
            .description("Always 1: a source that is not read for now, and why")
            .register(registry);
  }

  /** Replaces the reasons and logs the changes. */
  void update(Map<String, String> now) {
    if (now.equals(reasons)) {
      return;
    }
    now.forEach(
        (source, reason) -> {
          if (!reason.equals(reasons.get(source))) {
            LOG.warn(
                "Source {} is set aside: {}; see docs/runbooks/RondoSourceSetAside.md",
                source,
                reason);
          }
        });
    reasons.keySet().stream()
        .filter(source -> !now.containsKey(source))
        .forEach(source -> LOG.info("Source {} is read again", source));
    reasons = Map.copyOf(now);
    gauge.register(
        reasons.entrySet().stream()
            .map(each -> Row.of(Tags.of("source", each.getKey(), "reason", each.getValue()), 1))
            .collect(Collectors.toList()),
        true);
  }
}
