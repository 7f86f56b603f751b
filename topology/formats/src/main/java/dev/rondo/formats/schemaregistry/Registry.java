package dev.rondo.formats.schemaregistry;

import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;

/**
 * Connection settings of a schema registry.
 *
 * @param url of its REST interface, without a slash at the end
 * @param tls empty = the JDK's certificates
 * @param authorization value of the header {@code Authorization}, read for each request; empty =
 *     none. It is secret: {@link #toString} omits it.
 * @param timeout longest wait for a schema
 * @param retry time before a failed lookup is repeated
 */
public record Registry(
    URI url,
    Optional<SSLContext> tls,
    Optional<Supplier<String>> authorization,
    Duration timeout,
    Duration retry) {
  /** Default of {@code timeout}. */
  public static final Duration TIMEOUT = Duration.ofSeconds(2);

  /** Default of {@code retry}. */
  public static final Duration RETRY = Duration.ofSeconds(10);

  /** Returns the same settings with another timeout. */
  public Registry withTimeout(Duration other) {
    return new Registry(url, tls, authorization, other, retry);
  }

  /** Creates its schemas, to be shared by all readers of its records. */
  public Schemas schemas() {
    return new RegistrySchemas(new HttpLookup(this), timeout, retry);
  }

  @Override
  public String toString() {
    return url.toString();
  }
}
