package dev.rondo.connection.settings;

import java.util.regex.Pattern;

/**
 * Variables that Kubernetes sets in a pod for each service of its namespace: for the service {@code
 * rondo-api} {@code RONDO_API_SERVICE_HOST}, {@code RONDO_API_PORT=tcp://10.0.0.1:8888} and so on.
 * They may look like settings of Rondo.
 */
public final class ServiceVariable {
  private static final Pattern NAME =
      Pattern.compile(
          ".+_(SERVICE_HOST|SERVICE_PORT(_.+)?|PORT_\\d+_(TCP|UDP|SCTP)(_(ADDR|PORT|PROTO))?)");
  private static final Pattern ADDRESS = Pattern.compile("(tcp|udp|sctp)://\\S+:\\d+");

  private ServiceVariable() {}

  /** Whether Kubernetes has set a variable: a setting that ends with PORT is a number. */
  public static boolean is(String variable, String value) {
    return NAME.matcher(variable).matches()
        || (variable.endsWith("_PORT") && ADDRESS.matcher(value).matches());
  }
}
