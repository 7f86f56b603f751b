package dev.rondo.formats.schemaregistry;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.rondo.formats.Excerpt;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.ConnectException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Looks schemas up by the REST interface of Confluent's registry, which Karapace and Apicurio
 * ({@code /apis/ccompat/v7}) also implement.
 *
 * <pre>
 *   GET /schemas/ids/{id}      GET /schemas/guids/{guid}      GET /subjects/{subject}/versions/{n}
 *   {"schema":"…","schemaType":"AVRO","references":[{"name":"…","subject":"…","version":1}]}
 * </pre>
 */
final class HttpLookup implements SchemaLookup {
  private static final ObjectMapper JSON = new ObjectMapper();

  /** Larger than any real schema; responses are cached. */
  private static final int MAX_BYTES = 4 << 20;

  private static final int MAX_REFERENCES = 200;
  private static final int MAX_DEPTH = 32;

  private final Registry registry;
  private final HttpClient http;

  HttpLookup(Registry registry) {
    this.registry = registry;
    HttpClient.Builder builder =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(registry.timeout());
    registry.tls().ifPresent(builder::sslContext);
    this.http = builder.build();
  }

  @Override
  public String registry() {
    return registry.toString();
  }

  @Override
  public Schema read(SchemaId id) throws IOException, InterruptedException {
    JsonNode answer = get(path(id), id);
    List<Schema.Reference> references = new ArrayList<>();
    addReferences(answer, references, new HashSet<>(), id, 0);
    return new Schema(
        id.toString(), answer.path("schemaType").asText("AVRO"), text(answer, id), references);
  }

  private static String path(SchemaId id) {
    return id.guid() == null ? "/schemas/ids/" + id.number() : "/schemas/guids/" + id.guid();
  }

  /** Adds the references of a schema, dependencies first. */
  private void addReferences(
      JsonNode schema, List<Schema.Reference> to, Set<String> seen, SchemaId id, int depth)
      throws IOException, InterruptedException {
    for (JsonNode reference : schema.path("references")) {
      String name = reference.path("name").asText();
      if (!seen.add(name)) {
        continue;
      }
      if (seen.size() > MAX_REFERENCES || depth > MAX_DEPTH) {
        throw new IOException(
            "%s: more than %d references, or nested deeper than %d, in %s"
                .formatted(id, MAX_REFERENCES, MAX_DEPTH, registry));
      }
      JsonNode referred =
          get(
              "/subjects/%s/versions/%d"
                  .formatted(
                      URLEncoder.encode(reference.path("subject").asText(), StandardCharsets.UTF_8)
                          .replace("+", "%20"),
                      reference.path("version").asInt()),
              id);
      addReferences(referred, to, seen, id, depth + 1);
      to.add(new Schema.Reference(name, text(referred, id)));
    }
  }

  private String text(JsonNode answer, SchemaId id) throws IOException {
    JsonNode text = answer.path("schema");
    if (!text.isTextual()) {
      throw new IOException("%s: the answer of %s has no schema".formatted(id, registry));
    }
    return text.asText();
  }

  private JsonNode get(String path, SchemaId id) throws IOException, InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(registry.url() + path))
            .header("Accept", "application/vnd.schemaregistry.v1+json, application/json");
    registry.authorization().ifPresent(value -> request.header("Authorization", value.get()));
    Answer answer = answer(request.build(), id);
    byte[] bytes = answer.body().toByteArray();
    if (answer.status() != HttpURLConnection.HTTP_OK) {
      String what =
          "%s: %s answers %d to GET %s: %s"
              .formatted(id, registry, answer.status(), path, Excerpt.of(bytes, 0, bytes.length));
      throw answer.status() == HttpURLConnection.HTTP_NOT_FOUND
          ? new NoSuchSchemaException(what)
          : new IOException(what);
    }
    if (bytes.length > MAX_BYTES) {
      throw new IOException(
          "%s: %s answers with more than %d bytes".formatted(id, registry, MAX_BYTES));
    }
    try {
      return JSON.readTree(bytes);
    } catch (JsonProcessingException e) {
      throw new IOException("%s: %s does not answer with JSON".formatted(id, registry), e);
    }
  }

  private record Answer(int status, ByteArrayOutputStream body) {}

  /** Waits for the whole response: the client's own timeout ends at the first byte of the body. */
  private Answer answer(HttpRequest request, SchemaId id) throws IOException, InterruptedException {
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    CompletableFuture<HttpResponse<Void>> response =
        http.sendAsync(
            request,
            BodyHandlers.ofByteArrayConsumer(
                chunk -> {
                  if (chunk.isPresent() && body.size() <= MAX_BYTES) {
                    body.writeBytes(chunk.get());
                  }
                }));
    try {
      int status = response.get(requestMs(), TimeUnit.MILLISECONDS).statusCode();
      return new Answer(status, body);
    } catch (TimeoutException e) {
      throw new IOException(
          "%s: %s has not answered within %d ms".formatted(id, registry, requestMs()), e);
    } catch (ExecutionException e) {
      String what =
          e.getCause() instanceof ConnectException
              ? "cannot be reached"
              : String.valueOf(e.getCause().getMessage());
      throw new IOException("%s: %s: %s".formatted(id, registry, what), e);
    } finally {
      response.cancel(true);
    }
  }

  /** Longer than a record waits: later records can use a slow response. */
  private long requestMs() {
    return 5 * registry.timeout().toMillis();
  }
}
