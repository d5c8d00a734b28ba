package dev.superstep.repl.agent;

import java.util.Optional;
import java.util.regex.Pattern;

/// Finds the cell in what a model wrote: the first fenced block, whatever its label.
final class Fence {
  private static final Pattern OPENING = Pattern.compile("(?m)^[ \\t]*(`{3,}|~{3,})[^`\\n]*\\n");

  private Fence() {}

  /// The text inside the first fence; empty if there is none.
  ///
  /// @param isWhole whether the reply was not cut off: then a fence may lack its end
  static Optional<String> code(String reply, boolean isWhole) {
    var opening = OPENING.matcher(reply);
    if (!opening.find()) return Optional.empty();
    var mark = Pattern.quote(opening.group(1));
    var closing = Pattern.compile("(?m)^[ \\t]*" + mark + "[ \\t]*$").matcher(reply);
    if (closing.find(opening.end())) {
      return Optional.of(reply.substring(opening.end(), closing.start()));
    }
    return isWhole ? Optional.of(reply.substring(opening.end())) : Optional.empty();
  }
}
