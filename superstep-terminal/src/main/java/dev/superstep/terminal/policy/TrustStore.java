package dev.superstep.terminal.policy;

import static java.util.Objects.requireNonNull;

import dev.superstep.file.PrivateFiles;
import dev.superstep.json.MalformedJson;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/// Which files of folders a person has read and trusts. A file that changes, or moves, is not
/// trusted any more. Kept in one file that only its owner may read. Safe for many threads of one
/// process; of two processes that trust at once, one may have to do it again.
public final class TrustStore {
  private static final JsonMapper JSON = JsonMapper.shared();
  private static final int BYTES_MAX = 1024 * 1024;

  private final Path file;

  private TrustStore(Path file) {
    this.file = file;
  }

  /// Opens the store, which need not be there yet.
  ///
  /// @param file below the person's folder of settings
  public static TrustStore at(Path file) {
    return new TrustStore(file);
  }

  /// The content of a file, if it is exactly what a person trusted; the file is read once, so that
  /// what is returned is what was compared.
  public synchronized Optional<String> trusted(Path path) {
    var content = read(path);
    return digest(content).equals(all().get(key(path)))
        ? Optional.of(new String(content, java.nio.charset.StandardCharsets.UTF_8))
        : Optional.empty();
  }

  /// The digest of a file as it is now, for whoever asks the person.
  public String digest(Path path) {
    return digest(read(path));
  }

  /// Trusts a file as long as it has this digest.
  ///
  /// @param digest of the text that the person was shown
  public synchronized void trust(Path path, String digest) {
    var all = all();
    all.put(key(path), digest);
    write(all);
  }

  /// Ends the trust in a file.
  public synchronized void distrust(Path path) {
    var all = all();
    if (all.remove(key(path)) != null) write(all);
  }

  private Map<String, String> all() {
    var all = new TreeMap<String, String>();
    if (!Files.exists(file)) return all;
    try {
      var tree = JSON.readTree(Files.readString(file));
      for (var entry : tree.properties()) all.put(entry.getKey(), entry.getValue().asString(""));
      return all;
    } catch (JacksonException | MalformedJson _) {
      // Whom it trusted is not known any more, so nobody.
      return new TreeMap<>();
    } catch (IOException e) {
      throw new UncheckedIOException("the file of trusted folders cannot be read: " + file, e);
    }
  }

  private void write(Map<String, String> all) {
    try {
      PrivateFiles.createDirectories(requireNonNull(file.toAbsolutePath().getParent()));
      PrivateFiles.replace(file, JSON.writeValueAsString(all));
    } catch (IOException e) {
      throw new UncheckedIOException("the file of trusted folders cannot be written: " + file, e);
    }
  }

  private static String key(Path path) {
    try {
      return path.toRealPath().toString();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot be found: " + path, e);
    }
  }

  private static byte[] read(Path path) {
    try {
      if (Files.size(path) > BYTES_MAX) {
        throw new UncheckedIOException(new IOException("is larger than 1 MiB: " + path));
      }
      return Files.readAllBytes(path);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot be read: " + path, e);
    }
  }

  private static String digest(byte[] content) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(content));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }

  @Override
  public String toString() {
    return "TrustStore[" + file + "]";
  }
}
