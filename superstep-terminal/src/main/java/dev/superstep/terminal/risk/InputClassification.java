package dev.superstep.terminal.risk;

import java.util.List;

/// The kind of what a person typed, with reasons. Immutable.
///
/// @param likely the better guess where the kind is ambiguous and no model answers; else the kind
/// @param confidence from 0 to 1
/// @param reasons sentences
/// @param patterns names of the rules that matched, stable
/// @param text the input without blanks around it and without a mark that forces its kind
public record InputClassification(
    InputKind kind,
    InputKind likely,
    double confidence,
    List<String> reasons,
    List<String> patterns,
    String text) {
  public InputClassification {
    reasons = List.copyOf(reasons);
    patterns = List.copyOf(patterns);
  }
}
