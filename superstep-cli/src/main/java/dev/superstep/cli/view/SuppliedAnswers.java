package dev.superstep.cli.view;

import dev.superstep.cli.host.UsageError;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// The answers that the command line supplies. Immutable.
///
/// @param yes the questions that are approved without being named
/// @param values what was written, by the id of a question or by its position from 1, which counts
///   only until one of them is answered
public record SuppliedAnswers(BlanketYes yes, Map<String, String> values) {
  static final SuppliedAnswers NONE = new SuppliedAnswers(BlanketYes.NONE, Map.of());

  /// Reads `ID=VALUE` pairs.
  ///
  /// @throws UsageError if one is no pair, or two are for the same question
  static SuppliedAnswers of(BlanketYes yes, List<String> pairs) {
    var values = new LinkedHashMap<String, String>();
    for (var pair : pairs) {
      int equals = pair.indexOf('=');
      if (equals < 1) {
        throw new UsageError(
            "answer.malformed",
            "Answer `" + pair + "` is not ID=VALUE. Example: --answer wy5ri9kgxc=yes.");
      }
      var key = pair.substring(0, equals).strip();
      if (values.put(key, pair.substring(equals + 1).strip()) != null) {
        throw new UsageError("answer.twice", "Question `" + key + "` is answered twice.");
      }
    }
    return new SuppliedAnswers(yes, values);
  }
}
