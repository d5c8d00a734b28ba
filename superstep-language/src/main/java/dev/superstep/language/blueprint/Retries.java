package dev.superstep.language.blueprint;

import java.time.Duration;
import java.util.Map;

/// The retries of a node, with what a source leaves out filled in.
///
/// @param attempts how often the node runs at most, the first time included
/// @param initial the longest wait before the second attempt
/// @param factor by how much the longest wait grows; 1 for a fixed wait
/// @param max the longest wait of all
/// @param isJittered whether each wait is drawn at random up to the longest one
public record Retries(
    int attempts, Duration initial, double factor, Duration max, boolean isJittered) {
  private static final int ATTEMPTS = 4;
  private static final Duration INITIAL = Duration.ofMillis(200);
  private static final Duration MAX = Duration.ofSeconds(30);

  /// Reads the object after `retry`, whose keys and types were checked.
  static Retries of(Map<String, Literal> fields) {
    boolean isFixed = text(fields, "backoff").equals("fixed");
    var initial = duration(fields, "initial", INITIAL);
    var max = duration(fields, "max", MAX);
    return new Retries(
        fields.get("max_attempts") instanceof Literal.Decimal(var n) ? n.intValue() : ATTEMPTS,
        initial,
        isFixed ? 1 : fields.get("factor") instanceof Literal.Decimal(var n) ? n.doubleValue() : 2,
        max.compareTo(initial) < 0 ? initial : max,
        !text(fields, "jitter").equals("none"));
  }

  private static Duration duration(Map<String, Literal> fields, String key, Duration otherwise) {
    return fields.get(key) instanceof Literal.Time(var time) ? time : otherwise;
  }

  private static String text(Map<String, Literal> fields, String key) {
    return switch (fields.get(key)) {
      case Literal.Text(var text) -> text;
      case Literal.Word(var word) -> word;
      case null, default -> "";
    };
  }
}
