package dev.rondo.embedded.secured;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.metadata.authorizer.StandardAuthorizer;
import org.apache.kafka.server.authorizer.Action;
import org.apache.kafka.server.authorizer.AuthorizableRequestContext;
import org.apache.kafka.server.authorizer.AuthorizationResult;

/**
 * Kafka's own authorizer, for a {@link SecuredBroker}, which also writes each distinct operation of
 * a user to a file: {@code USER OPERATION TYPE NAME}.
 */
public final class RecordingAuthorizer extends StandardAuthorizer {
  /** Setting of the broker with the file. */
  public static final String FILE = "rondo.recorded.operations";

  private final Set<String> recorded = ConcurrentHashMap.newKeySet();
  private Path file;

  @Override
  public void configure(Map<String, ?> settings) {
    super.configure(settings);
    file = Path.of((String) settings.get(FILE));
  }

  @Override
  public List<AuthorizationResult> authorize(
      AuthorizableRequestContext request, List<Action> actions) {
    List<AuthorizationResult> results = super.authorize(request, actions);
    for (int n = 0; n < actions.size(); n++) {
      Action action = actions.get(n);
      if (results.get(n) == AuthorizationResult.ALLOWED
          && action.logIfAllowed() // otherwise the client only asks for its rights
          && !request.principal().getName().equals("ANONYMOUS")) {
        record(
            "%s %s %s %s"
                .formatted(
                    request.principal().getName(),
                    action.operation(),
                    action.resourcePattern().resourceType(),
                    action.resourcePattern().name()));
      }
    }
    return results;
  }

  private void record(String operation) {
    if (recorded.add(operation)) {
      try {
        Files.writeString(
            file, operation + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
