package dev.rondo.connect.postgres.config;

/**
 * What is wrong with a config as PostgreSQL sees it.
 *
 * @param key to change, or whose thing is to be set up
 * @param text what the server says, and what to do
 */
public record ConfigFault(String key, String text) {}
