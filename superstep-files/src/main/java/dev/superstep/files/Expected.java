package dev.superstep.files;

import java.util.Optional;

/// The state in which a writer takes a file to be. Immutable.
public sealed interface Expected {
  /// There is no file.
  record Absent() implements Expected {}

  /// The file has this digest.
  record Digest(String digest) implements Expected {}

  /// The file may be anything, or nothing.
  record Anything() implements Expected {}

  /// There is no file.
  static Expected absent() {
    return new Absent();
  }

  /// The file has this digest: [FileText#digest].
  static Expected digest(String digest) {
    return new Digest(digest);
  }

  /// The file may be anything, or nothing.
  static Expected anything() {
    return new Anything();
  }

  /// Returns whether a file is so.
  ///
  /// @param digest of the file, or empty if there is none
  default boolean fits(Optional<String> digest) {
    return switch (this) {
      case Absent _ -> digest.isEmpty();
      case Digest(var wanted) -> digest.isPresent() && digest.get().equals(wanted);
      case Anything _ -> true;
    };
  }
}
