package dev.superstep.credential;

import dev.superstep.json.SuperstepException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// A file of credentials cannot be read or written. Its message holds no secret.
public final class VaultUnusable extends SuperstepException {
  VaultUnusable(Path file, String why, @Nullable Throwable cause) {
    super("credential.vault-unusable", "The vault `" + file + "` is unusable. " + why, cause);
  }
}
