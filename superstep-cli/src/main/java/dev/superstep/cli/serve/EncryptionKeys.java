package dev.superstep.cli.serve;

import dev.superstep.checkpoint.KeyRing;
import dev.superstep.cli.host.Host;
import dev.superstep.cli.host.ServerSetting;
import dev.superstep.cli.host.UsageError;
import java.io.IOException;
import java.nio.file.Files;
import java.util.Base64;
import java.util.List;
import java.util.Optional;

/// Reads the keys that encrypt the stores of a server: lines `ID KEY`, of which the first writes
/// and all read. They come from a file or from the environment, and never from an argument, which
/// others on the machine can see. No message shows a key.
final class EncryptionKeys {
  /// The keys themselves, for those who have a secret in the environment and no file.
  static final String VARIABLE = "SUPERSTEP_ENCRYPTION_KEYS";

  private EncryptionKeys() {}

  /// The keys, if the user gave some.
  ///
  /// @param file the setting that names their file
  /// @throws UsageError if they cannot be read
  static Optional<KeyRing> find(Host host, ServerSetting.Found file) {
    if (!file.value().isBlank()) {
      try {
        var text = Files.readString(host.path(file.value()));
        return Optional.of(ring(text.lines().toList(), file.value()));
      } catch (IOException e) {
        throw wrong("The file " + file.value() + " with the keys cannot be read.");
      }
    }
    return host.variable(VARIABLE).map(text -> ring(List.of(text.split("[\\n,]", -1)), VARIABLE));
  }

  private static KeyRing ring(List<String> lines, String where) {
    KeyRing ring = null;
    for (int i = 0; i < lines.size(); i++) {
      var line = lines.get(i).strip();
      if (line.isEmpty() || line.startsWith("#")) continue;
      var parts = line.split("\\s+", 2);
      try {
        var key = parts.length == 2 ? Base64.getDecoder().decode(parts[1].strip()) : new byte[0];
        ring = ring == null ? KeyRing.of(parts[0], key) : ring.reading(parts[0], key);
      } catch (RuntimeException malformed) {
        throw wrong(
            "Line %d of %s must be an id and a key: 1 to 64 letters or digits, a blank, and %d bytes in base64. Make a key by `openssl rand -base64 %d`."
                .formatted(i + 1, where, KeyRing.KEY_BYTES, KeyRing.KEY_BYTES));
      }
    }
    if (ring == null) throw wrong(where + " has no key.");
    return ring;
  }

  private static UsageError wrong(String why) {
    return new UsageError("serve.encryption", why);
  }
}
