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
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.connect.rest.ConnectRestExtension;
import org.apache.kafka.connect.rest.ConnectRestExtensionContext;

/**
 * Extension of Connect's REST API ({@code rest.extension.classes}): requests that only read need
 * nothing, all others need {@code Authorization: Bearer TOKEN}. A config that somebody validates or
 * creates is resolved with the worker's secrets and connects wherever it says; one that is read
 * shows only references.
 *
 * <p>Signed requests between workers of a group pass. Connect itself checks the signatures, after
 * it has read the body into memory, which is why the body is bounded. It forwards the header of
 * others to the leader, so all workers of a group need the same token. Whoever may write to the
 * config topic of the group needs none: that is for Kafka's ACLs.
 */
public final class RestGuard implements ConnectRestExtension {
  /** Worker's key: the file of the token. Without it, nobody can change anything. */
  public static final String TOKEN_FILE = "rondo.rest.token.file";

  /** Worker's key: bound of the body of a request between workers, bytes. */
  public static final String MAX_BYTES = "rondo.rest.between.workers.max.bytes";

  private static final int MIN_TOKEN_LENGTH = 16;
  private static final int DEFAULT_MAX_BYTES = 131_072; // some 30 tasks of the sink

  /** Which a standalone worker, without any others, has not. */
  private static final String GROUP = "group.id";

  private static final String PROTOCOL = "connect.protocol";

  /** The default, and the only protocol in which workers sign requests and check signatures. */
  private static final String SIGNING = "sessioned";

  /** Made late, as a worker before Kafka 4 also loads this class, and has no classes of Jakarta. */
  private Filter filter;

  /**
   * Reads the token and the bound.
   *
   * @throws ConfigException if the token's file cannot be read, or has a token that can be guessed,
   *     or the bound is no number, or workers of a group do not sign their requests
   */
  @Override
  public void configure(Map<String, ?> worker) {
    boolean hasGroup = worker.containsKey(GROUP);
    if (hasGroup) {
      checkProtocol(worker.get(PROTOCOL));
    }
    filter =
        new Filter(
            Optional.ofNullable(worker.get(TOKEN_FILE)).map(RestGuard::token),
            hasGroup ? maxBytes(worker.get(MAX_BYTES)) : -1);
  }

  private static void checkProtocol(Object value) {
    if (value != null && !SIGNING.equalsIgnoreCase(value.toString())) {
      throw new ConfigException(
          ("%s is '%s', in which workers check no signature: any client that sends one could change"
                  + " tasks. Set it to %s, its default, or remove RestGuard from rest.extension.classes")
              .formatted(PROTOCOL, value, SIGNING));
    }
  }

  private static int maxBytes(Object value) {
    return value == null
        ? DEFAULT_MAX_BYTES
        : (int) ConfigDef.parseType(MAX_BYTES, value.toString(), ConfigDef.Type.INT);
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

    private static final List<String> SIGNATURE =
        List.of("X-Connect-Authorization", "X-Connect-Request-Signature-Algorithm");

    private static final Pattern LENGTH = Pattern.compile("\\d{1,9}");

    private final Optional<byte[]> token;
    private final int maxBytes;

    /**
     * @param maxBytes bound of the body of a request between workers; -1: there are no others
     */
    Filter(Optional<byte[]> token, int maxBytes) {
      this.token = token;
      this.maxBytes = maxBytes;
    }

    @Override
    public void filter(ContainerRequestContext request) {
      boolean between = isBetweenWorkers(request);
      boolean passes =
          READING.contains(request.getMethod())
              || (between && isSigned(request) && isBounded(request))
              || hasToken(request.getHeaderString(HttpHeaders.AUTHORIZATION));
      if (!passes) {
        String message = between ? advice() + adviceToWorkers() : advice();
        request.abortWith(
            Response.status(Response.Status.UNAUTHORIZED)
                .header(HttpHeaders.WWW_AUTHENTICATE, SCHEME.strip())
                .type(MediaType.APPLICATION_JSON_TYPE)
                .entity(Map.of("error_code", 401, "message", message))
                .build());
      }
    }

    private boolean isBetweenWorkers(ContainerRequestContext request) {
      Pattern path = BETWEEN_WORKERS.get(request.getMethod());
      return maxBytes >= 0
          && path != null
          && path.matcher(request.getUriInfo().getPath(false)).matches();
    }

    private static boolean isSigned(ContainerRequestContext request) {
      return SIGNATURE.stream().allMatch(header -> request.getHeaderString(header) != null);
    }

    /** Without either header a request has no body. */
    private boolean isBounded(ContainerRequestContext request) {
      String length = request.getHeaderString(HttpHeaders.CONTENT_LENGTH);
      return request.getHeaderString("Transfer-Encoding") == null
          && (length == null
              || (LENGTH.matcher(length).matches() && Integer.parseInt(length) <= maxBytes));
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

    private String adviceToWorkers() {
      return "; a request between workers needs a signature, and a body of at most %d bytes (%s)"
          .formatted(maxBytes, MAX_BYTES);
    }
  }
}
