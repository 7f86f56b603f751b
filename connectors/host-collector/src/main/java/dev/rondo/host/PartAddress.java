package dev.rondo.host;

import java.net.URI;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * A part of Rondo and the URL of its metrics, {@code topology=http://127.0.0.1:8889/metrics}.
 *
 * @param part node in the names of its metrics
 */
record PartAddress(String part, URI url) {
  private static final String LOOPBACK = "localhost|127(\\.\\d+){3}|\\[::1]";

  /** Parses {@code PART=URL}. */
  static final class Converter implements ITypeConverter<PartAddress> {
    @Override
    public PartAddress convert(String text) {
      int equals = text.indexOf('=');
      try {
        var address =
            new PartAddress(
                text.substring(0, Math.max(0, equals)), URI.create(text.substring(equals + 1)));
        if (address.part.matches("[a-z0-9_-]+")
            && address.url.getHost() != null
            && address.url.getPort() > 0
            && "http".equals(address.url.getScheme())) {
          return address;
        }
      } catch (IllegalArgumentException e) {
        throw new TypeConversionException(refusal(text));
      }
      throw new TypeConversionException(refusal(text));
    }

    private static String refusal(String text) {
      return "'%s' is not PART=http://HOST:PORT/PATH, such as topology=http://127.0.0.1:8889/metrics"
          .formatted(text);
    }
  }

  /**
   * Returns the node that distinguishes instances of a part: host and port, such as {@code
   * web01-8889}.
   *
   * @param thisHost node of this machine, which replaces a loopback address
   */
  String instance(String thisHost) {
    String host = url.getHost();
    return (host.matches(LOOPBACK) ? thisHost : GraphiteLines.safeNode(host)) + "-" + url.getPort();
  }
}
