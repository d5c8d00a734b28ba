package dev.superstep.skills;

import java.nio.file.Path;

/// Keeps which files people have confirmed, by their digests. Only the newest digest of a subject
/// counts. Safe for many threads.
public interface Confirmations {
  /// Returns whether a subject was confirmed with this digest.
  ///
  /// @param subject such as `skill /home/me/skills/pdf-forms`
  boolean isConfirmed(String subject, String digest);

  /// Confirms a subject with this digest, in place of an earlier one.
  void confirm(String subject, String digest);

  /// Takes a confirmation back.
  void revoke(String subject);

  /// Keeps them as long as the program runs.
  static Confirmations inMemory() {
    return new MemoryConfirmations();
  }

  /// Keeps them in a file of its owner, which other processes may write as well. Put it where
  /// agents cannot write.
  static Confirmations in(Path file) {
    return new FileConfirmations(file);
  }
}
