package dev.rondo.embedded.secured;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/** A certificate authority that uses the keytool of this JDK. */
public final class Authority {
  private static final char[] PASSWORD = "secret".toCharArray();

  private final Path dir;
  private final Path store;

  /**
   * Creates the authority and its certificates.
   *
   * @param dir an empty folder for its files
   */
  public Authority(Path dir) {
    this.dir = dir;
    this.store = dir.resolve("keys.p12");
    keytool("-alias", "ca", "-dname", "CN=Test authority", "-ext", "bc:c");
  }

  /** Signs a new key for {@code name}, with additional options of keytool. */
  public void sign(String name, String... more) {
    var options = new ArrayList<>(List.of("-alias", name, "-signer", "ca", "-dname", "CN=" + name));
    options.addAll(List.of(more));
    keytool(options.toArray(String[]::new));
  }

  /** PEM. */
  public String certificate(String name) {
    try {
      return pem("CERTIFICATE", open().getCertificate(name).getEncoded());
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  /** File with the PEM of the certificate. */
  public Path certificateFile(String name) {
    return write(name + ".crt", certificate(name).getBytes(US_ASCII));
  }

  /** PEM of the key, PKCS #8. */
  public String key(String name) {
    return pem("PRIVATE KEY", keyBytes(name));
  }

  /** File with the key in PKCS #8, as pgjdbc requires. */
  public Path keyFile(String name) {
    return write(name + ".pk8", keyBytes(name));
  }

  private byte[] keyBytes(String name) {
    try {
      return open().getKey(name, PASSWORD).getEncoded();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Writes a file for its owner only: drivers refuse keys that others may read. */
  private Path write(String name, byte[] bytes) {
    try {
      Path file = Files.write(dir.resolve(name), bytes);
      return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private KeyStore open() throws GeneralSecurityException {
    try {
      return KeyStore.getInstance(store.toFile(), PASSWORD);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private static String pem(String type, byte[] bytes) {
    String text = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(bytes);
    return "-----BEGIN %1$s-----\n%2$s\n-----END %1$s-----".formatted(type, text);
  }

  private void keytool(String... options) {
    var command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-keystore",
                store.toString(),
                "-storepass",
                new String(PASSWORD),
                "-keyalg",
                "EC",
                "-groupname",
                "secp256r1"));
    command.addAll(List.of(options));
    try {
      var process = new ProcessBuilder(command).redirectErrorStream(true).start();
      String output = new String(process.getInputStream().readAllBytes(), US_ASCII);
      if (process.waitFor() != 0) {
        throw new IllegalStateException(command + ": " + output);
      }
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
