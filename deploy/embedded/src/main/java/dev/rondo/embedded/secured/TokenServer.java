package dev.rondo.embedded.secured;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.math.BigInteger;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.security.interfaces.RSAPublicKey;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;

/**
 * An OAuth server on 127.0.0.1 with one client: {@code /token} grants tokens for its credentials,
 * {@code /keys} publishes the signing key.
 */
final class TokenServer implements AutoCloseable {
  static final String AUDIENCE = "kafka";

  private static final int LIFETIME_S = 300;
  private static final Base64.Encoder BASE64_URL = Base64.getUrlEncoder().withoutPadding();

  private final HttpServer server;
  private final KeyPair keys;
  private final String client;
  private final String credentials;

  private TokenServer(HttpServer server, KeyPair keys, String client, String secret) {
    this.server = server;
    this.keys = keys;
    this.client = client;
    this.credentials = "Basic " + Base64.getEncoder().encodeToString(bytes(client + ":" + secret));
  }

  static TokenServer start(String client, String secret) throws IOException {
    try {
      var address = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
      KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
      generator.initialize(2048);
      var tokens =
          new TokenServer(
              HttpServer.create(address, 0), generator.generateKeyPair(), client, secret);
      tokens.server.createContext("/token", tokens::token);
      tokens.server.createContext("/keys", tokens::keys);
      tokens.server.start();
      return tokens;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Who issues the tokens: Kafka accepts no other since 4.4. */
  String issuer() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  String url() {
    return issuer() + "/token";
  }

  String keysUrl() {
    return issuer() + "/keys";
  }

  private void token(HttpExchange exchange) throws IOException {
    exchange.getRequestBody().readAllBytes();
    if (credentials.equals(exchange.getRequestHeaders().getFirst("Authorization"))) {
      answer(exchange, 200, "{\"access_token\":\"%s\",\"token_type\":\"Bearer\"}".formatted(jwt()));
    } else {
      answer(exchange, 401, "{\"error\":\"invalid_client\"}");
    }
  }

  private void keys(HttpExchange exchange) throws IOException {
    RSAPublicKey key = (RSAPublicKey) keys.getPublic();
    answer(
        exchange,
        200,
        "{\"keys\":[{\"kty\":\"RSA\",\"use\":\"sig\",\"alg\":\"RS256\",\"kid\":\"1\",\"n\":\"%s\",\"e\":\"%s\"}]}"
            .formatted(number(key.getModulus()), number(key.getPublicExponent())));
  }

  private static void answer(HttpExchange exchange, int status, String json) throws IOException {
    byte[] body = bytes(json);
    exchange.getResponseHeaders().set("Content-Type", "application/json");
    exchange.sendResponseHeaders(status, body.length);
    exchange.getResponseBody().write(body);
    exchange.close();
  }

  private String jwt() {
    long now = Instant.now().getEpochSecond();
    String signed =
        encode(bytes("{\"alg\":\"RS256\",\"kid\":\"1\"}"))
            + "."
            + encode(
                bytes(
                    "{\"iss\":\"%s\",\"sub\":\"%s\",\"aud\":\"%s\",\"iat\":%d,\"exp\":%d,\"scope\":\"rondo\"}"
                        .formatted(issuer(), client, AUDIENCE, now, now + LIFETIME_S)));
    try {
      Signature signature = Signature.getInstance("SHA256withRSA");
      signature.initSign(keys.getPrivate());
      signature.update(bytes(signed));
      return signed + "." + encode(signature.sign());
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  private static String number(BigInteger number) {
    byte[] bytes = number.toByteArray();
    int sign = bytes[0] == 0 ? 1 : 0;
    return encode(Arrays.copyOfRange(bytes, sign, bytes.length));
  }

  private static String encode(byte[] bytes) {
    return BASE64_URL.encodeToString(bytes);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
