package dev.superstep.eval.check;

import dev.superstep.budget.Spend;
import dev.superstep.eval.dataset.Ending;
import dev.superstep.eval.dataset.JsonValues;
import dev.superstep.json.Json;
import java.time.Duration;
import java.util.List;

/// The observation of a trial: what a subject made of a case. Immutable.
///
/// @param ending how it ended
/// @param output its answer, or what there was of one; the JSON null if there was none
/// @param tools its tool calls, in order. Of a subject that is no single agent they have no
///   arguments, and those from before a restart of the process are missing
/// @param questions the names of questions that wait for a person
/// @param error the code of its error, or empty
/// @param reason why it did not answer, for people; empty if it did
/// @param spent by its models, as far as known. Calls whose replies a crash has lost are not in it
/// @param took the time of the subject; after a restart of the process only the time since then
public record Observation(
    Ending ending,
    Json output,
    List<CalledTool> tools,
    List<String> questions,
    String error,
    String reason,
    Spend spent,
    Duration took) {
  public Observation {
    tools = List.copyOf(tools);
    questions = List.copyOf(questions);
  }

  /// An answer, as of a labelled example.
  public static Observation answer(Json output) {
    return new Observation(
        Ending.ANSWERED, output, List.of(), List.of(), "", "", Spend.NONE, Duration.ZERO);
  }

  /// Returns a copy that ended in another way.
  public Observation withEnding(Ending other) {
    return new Observation(other, output, tools, questions, error, reason, spent, took);
  }

  /// The text of the output: a JSON string as it is, anything else as JSON.
  public String text() {
    return JsonValues.text(output);
  }

  /// The ending, for logs; not what was said.
  @Override
  public String toString() {
    return "Observation[" + ending + (error.isEmpty() ? "" : " " + error) + "]";
  }
}
