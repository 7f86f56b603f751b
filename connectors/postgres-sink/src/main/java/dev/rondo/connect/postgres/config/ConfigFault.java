package dev.rondo.connect.postgres.config;

/**
 * An error of a config that only PostgreSQL can find.
 *
 * @param key config key to report the error at
 * @param text what the server answered, and what to do
 */
public record ConfigFault(String key, String text) {}
