package dev.rondo.tools.size;

/**
 * A bound of the deployment.
 *
 * @param what is bounded
 * @param series with which it is reached, all else being equal
 * @param change what moves it
 */
public record Limit(String what, double series, String change) {}
