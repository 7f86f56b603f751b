package dev.rondo.connect.rest;

import static java.nio.charset.StandardCharsets.UTF_8;

import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.connect.rest.ConnectRestExtension;
import org.apache.kafka.connect.rest.ConnectRestExtensionContext;

/**
 * Extension of Connect's REST API ({@code rest.extension.classes}): requests that only read need
 * nothing, all others need {@code Authorization: Bearer TOKEN}. A config that somebody validates or
 * creates is resolved with the worker's secrets and connects wherever it says; one that is read
 * shows only references.
 *
 * <p>Requests between workers pass: Connect itself checks their signatures. It forwards the header
 * of others to the leader, so all workers of a group need the same token.
 */
public final class RestGuard implements ConnectRestExtension {
  /** Worker's key: the file of the token. Without it, nobody can change anything. */
  public static final String TOKEN_FILE = "rondo.rest.token.file";

  private static final int MIN_TOKEN_LENGTH = 16;

  /** Made late, as a worker before Kafka 4 also loads this class, and has no classes of Jakarta. */
  private Filter filter;

  /**
   * Reads the token.
   *
   * @throws ConfigException if its file cannot be read, or has a token that can be guessed
   */
  @Override
  public void configure(Map<String, ?> worker) {
    filter = new Filter(Optional.ofNullable(worker.get(TOKEN_FILE)).map(RestGuard::token));
  }

  private static byte[] token(Object file) {
    try {
      String token = Files.readString(Path.of(file.toString())).strip();
      if (token.length() < MIN_TOKEN_LENGTH) {
        throw new ConfigException(
            "the token in %s has %d characters, fewer than %d (%s)"
                .formatted(file, token.length(), MIN_TOKEN_LENGTH, TOKEN_FILE));
      }
      return token.getBytes(UTF_8);
    } catch (IOException e) {
      throw new ConfigException(
          "the token in %s cannot be read: %s (%s)".formatted(file, e, TOKEN_FILE));
    }
  }

  @Override
  public void register(ConnectRestExtensionContext context) {
    context.configurable().register(filter);
  }

  @Override
  public String version() {
    return RestGuard.class.getPackage().getImplementationVersion();
  }

  @Override
  public void close() {
    // it holds nothing
  }

  /** Refuses what changes or resolves something, unless it has the token. */
  static final class Filter implements ContainerRequestFilter {
    private static final String SCHEME = "Bearer ";
    private static final Set<String> READING = Set.of("GET", "HEAD", "OPTIONS");

    /** New task configs of a follower, and the round of zombie fencing that it asks for. */
    private static final Map<String, Pattern> BETWEEN_WORKERS =
        Map.of(
            "POST", Pattern.compile("/?connectors/[^/]+/tasks/?"),
            "PUT", Pattern.compile("/?connectors/[^/]+/fence/?"));

    private final Optional<byte[]> token;

    Filter(Optional<byte[]> token) {
      this.token = token;
    }

    @Override
    public void filter(ContainerRequestContext request) {
      String method = request.getMethod();
      Pattern between = BETWEEN_WORKERS.get(method);
      boolean passes =
          READING.contains(method)
              || (between != null && between.matcher(request.getUriInfo().getPath(false)).matches())
              || hasToken(request.getHeaderString(HttpHeaders.AUTHORIZATION));
      if (!passes) {
        request.abortWith(
            Response.status(Response.Status.UNAUTHORIZED)
                .header(HttpHeaders.WWW_AUTHENTICATE, SCHEME.strip())
                .type(MediaType.APPLICATION_JSON_TYPE)
                .entity(Map.of("error_code", 401, "message", advice()))
                .build());
      }
    }

    private boolean hasToken(String authorization) {
      return token.isPresent()
          && authorization != null
          && authorization.startsWith(SCHEME)
          && MessageDigest.isEqual(
              token.get(), authorization.substring(SCHEME.length()).strip().getBytes(UTF_8));
    }

    private String advice() {
      return token.isPresent()
          ? "whoever changes something here needs 'Authorization: Bearer TOKEN', with the token in"
              + " the file that the worker's setting %s names".formatted(TOKEN_FILE)
          : "nobody can change anything here: the worker has no %s".formatted(TOKEN_FILE);
    }
  }
}
