package dev.rondo.connect.postgres;

import java.util.Objects;

/** Version of this plugin, from the manifest of its jar. */
final class Version {
  /** From the manifest; {@code unpackaged} for classes that are not in a jar. */
  static final String CURRENT =
      Objects.requireNonNullElse(
          Version.class.getPackage().getImplementationVersion(), "unpackaged");

  private Version() {}
}
