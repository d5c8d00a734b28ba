package dev.superstep.language;

import static java.util.Objects.requireNonNull;

/// A place that a diagnostic points at, and a few words about it.
///
/// @param text may be empty
public record Label(Span span, String text) {
  public Label {
    requireNonNull(span, "span");
    requireNonNull(text, "text");
  }
}
