package dev.superstep.model.wire;

import dev.superstep.model.Environment;
import dev.superstep.model.ModelException;

/// Limits on the size of a model's reply. A larger one ends its call with
/// [ModelException.Kind#TOO_LARGE], and the request is not retried. Immutable.
///
/// The memory of all calls of the process together is limited, too: to a quarter of the heap,
/// unless the system property `superstep.replies.max` sets it in bytes. A call that needs more than
/// is left ends in the same way.
///
/// @param line bytes of a line of a stream
/// @param event bytes of an event of a stream, or of a whole reply without a stream; at most a 64th
///   of a small heap, because parsed JSON takes many times its size
/// @param received bytes of a stream in total, including what surrounds its text
/// @param kept characters that are kept of a reply: texts, thoughts, arguments of calls, seals
/// @param calls tool calls in a reply
public record ReplyLimits(int line, int event, long received, long kept, int calls) {
  private static final int MIB = 1024 * 1024;
  private static final ReplyLimits STANDARD =
      new ReplyLimits(8 * MIB, 8 * MIB, 128L * MIB, 16L * MIB, 1_000);

  public ReplyLimits {
    positive("line", line);
    positive("event", event);
    positive("received", received);
    positive("kept", kept);
    positive("calls", calls);
  }

  /// Lines and events of 8 MiB, 128 MiB received, 16 Mi characters kept, 1,000 calls.
  public static ReplyLimits standard() {
    return STANDARD;
  }

  /// Returns the standard limits, except for those that an environment sets:
  /// `SUPERSTEP_REPLY_LINE_MAX`, `..._EVENT_MAX`, `..._RECEIVED_MAX`, `..._KEPT_MAX` and
  /// `..._CALLS_MAX`, each a number.
  ///
  /// @throws ModelException BAD_URL if one of them is not a positive number
  public static ReplyLimits of(Environment environment) {
    return new ReplyLimits(
        (int) set(environment, "LINE", STANDARD.line, Integer.MAX_VALUE - 16),
        (int) set(environment, "EVENT", STANDARD.event, Integer.MAX_VALUE - 16),
        set(environment, "RECEIVED", STANDARD.received, Long.MAX_VALUE),
        set(environment, "KEPT", STANDARD.kept, Integer.MAX_VALUE - 16),
        (int) set(environment, "CALLS", STANDARD.calls, Integer.MAX_VALUE));
  }

  /// The variable that sets a limit.
  static String variable(String limit) {
    return "SUPERSTEP_REPLY_" + limit + "_MAX";
  }

  private static long set(Environment environment, String limit, long standard, long most) {
    var text = environment.get(variable(limit)).map(String::strip).orElse("");
    if (text.isEmpty()) return standard;
    try {
      long value = Long.parseLong(text);
      if (value > 0 && value <= most) return value;
    } catch (NumberFormatException _) {
      // Said below.
    }
    throw new ModelException(
        ModelException.Kind.BAD_URL,
        "%s is `%s`. Write a number from 1 to %d, or leave it out for %d."
            .formatted(variable(limit), text, most, standard));
  }

  private static void positive(String name, long value) {
    if (value < 1) throw new IllegalArgumentException(name + " must be at least 1, was " + value);
  }
}
