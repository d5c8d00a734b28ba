package dev.superstep.cli.rlm.bench;

import java.util.Optional;
import java.util.regex.Pattern;

/// A line of a generated text. Immutable.
///
/// @param user four digits
/// @param month such as `2025-03`
record Entry(String user, String month, Topic topic) {
  private static final Pattern LINE = Pattern.compile("(\\d{4}-\\d{2})-\\d{2} user (\\d{4}): .*");

  /// Reads a line; empty if it is none.
  static Optional<Entry> of(String line) {
    var match = LINE.matcher(line);
    if (!match.matches()) return Optional.empty();
    return Topic.of(line).map(topic -> new Entry(match.group(2), match.group(1), topic));
  }
}
