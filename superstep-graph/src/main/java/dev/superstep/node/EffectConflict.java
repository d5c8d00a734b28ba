package dev.superstep.node;

import com.fasterxml.jackson.annotation.JsonTypeName;
import dev.superstep.json.Json;
import java.util.List;
import java.util.Optional;

/// An effect that is asked for after a rewind, an edit or in a fork, and that differs from those
/// that the same step or tool had in the history that the thread has left. Nothing is done until a
/// person has decided whether it is one more.
///
/// @param effect the tool, or the node and the step
/// @param request what is asked for now
/// @param recorded what was done before
public record EffectConflict(String effect, Json request, List<Recorded> recorded) {
  /// The question to a person. Every graph has it.
  public static final Question<EffectConflict, Decision> QUESTION =
      Question.of("effect-conflict", EffectConflict.class, Decision.class).asApproval();

  public EffectConflict {
    recorded = List.copyOf(recorded);
  }

  /// An effect that was recorded.
  ///
  /// @param result what it came to
  public record Recorded(String id, Json request, Json result) {}

  /// The decision of a person.
  public sealed interface Decision {
    /// The effect is a new one, and happens.
    @JsonTypeName("perform")
    record Perform() implements Decision {}

    /// It is what was done before: nothing happens, and the recorded result is used.
    ///
    /// @param recorded the id of the recorded effect
    @JsonTypeName("use-recorded")
    record UseRecorded(String recorded) implements Decision {}

    /// It does not happen: a step fails with [dev.superstep.error.EffectRefused], a tool answers
    /// its model with an error.
    @JsonTypeName("refuse")
    record Refuse(Optional<String> why) implements Decision {}
  }
}
