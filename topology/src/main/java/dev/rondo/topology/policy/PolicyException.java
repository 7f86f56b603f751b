package dev.rondo.topology.policy;

/** The policies file is wrong; the message names the thing, its value, the bound and the key. */
public final class PolicyException extends RuntimeException {
  PolicyException(String message) {
    super(message);
  }
}
