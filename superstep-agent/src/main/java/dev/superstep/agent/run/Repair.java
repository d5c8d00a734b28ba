package dev.superstep.agent.run;

import java.util.List;
import java.util.function.Function;

/// The policy for an answer that does not have the requested form. Each turn counts as a model
/// call. Immutable.
///
/// @param turns how often it is sent back before the agent fails
/// @param message makes the message to the model from the problems
public record Repair(int turns, Function<List<String>, String> message) {
  public Repair {
    if (turns < 0) throw new IllegalArgumentException("turns must be 0 or more, was " + turns);
  }

  /// The answer is never sent back.
  public static Repair none() {
    return turns(0);
  }

  /// The problems are sent to the model, this often.
  public static Repair turns(int most) {
    return new Repair(
        most,
        problems ->
            "Your answer does not have the form that was asked for:\n- "
                + String.join("\n- ", problems)
                + "\nAnswer again, with the corrected JSON only.");
  }

  /// Returns a copy with other words.
  public Repair saying(Function<List<String>, String> words) {
    return new Repair(turns, words);
  }

  /// Returns a copy that always uses these words.
  public Repair saying(String words) {
    return new Repair(turns, _ -> words);
  }
}
