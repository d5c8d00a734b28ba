package dev.superstep.cli.conversation;

import dev.superstep.cli.host.Host;
import dev.superstep.terminal.approval.ApprovalDigest;
import dev.superstep.terminal.policy.TrustStore;
import java.nio.file.Path;

/// The files of folders that the user has read and trusts, as long as their text stays the same.
public final class TrustedFiles {
  private final TrustStore store;

  private TrustedFiles(TrustStore store) {
    this.store = store;
  }

  /// Those of the user.
  public static TrustedFiles of(Host host) {
    return new TrustedFiles(TrustStore.at(TerminalFiles.of(host).trusted()));
  }

  /// The digest of a text.
  public static String digest(String text) {
    return ApprovalDigest.sha256(text);
  }

  /// Returns whether a file is trusted with a text of this digest.
  public boolean isTrusted(Path file, String digest) {
    return store.trusted(file).map(TrustedFiles::digest).filter(digest::equals).isPresent();
  }

  /// Trusts a file from now on, with exactly this text.
  public void trust(Path file, String digest) {
    store.trust(file, digest);
  }
}
