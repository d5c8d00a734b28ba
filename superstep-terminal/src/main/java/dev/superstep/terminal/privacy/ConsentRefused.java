package dev.superstep.terminal.privacy;

import dev.superstep.json.SuperstepException;
import java.nio.file.Path;

/// A person did not agree that texts of a folder go to a vendor.
public final class ConsentRefused extends SuperstepException {
  private final String vendor;

  ConsentRefused(String vendor, Path folder) {
    super(
        "terminal.consent-refused",
        "Nothing of %s was sent to %s, since nobody agreed to it. Agree, or choose a local model."
            .formatted(folder, vendor));
    this.vendor = vendor;
  }

  public String vendor() {
    return vendor;
  }
}
