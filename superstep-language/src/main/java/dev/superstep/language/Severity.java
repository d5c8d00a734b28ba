package dev.superstep.language;

import java.util.Locale;

/// The weight of a diagnostic.
public enum Severity {
  /// The source cannot be used.
  ERROR,
  /// The source can be used, but something in it is odd.
  WARNING,
  /// Something to know; nothing is wrong.
  NOTE;

  /// The word that people read.
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
