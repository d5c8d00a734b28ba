package dev.superstep.cli.rlm.bench;

import dev.superstep.json.Json;
import dev.superstep.message.AssistantMessage;
import dev.superstep.message.UserMessage;
import dev.superstep.model.ChatModel;
import dev.superstep.model.ChatReply;
import dev.superstep.model.ChatRequest;
import dev.superstep.model.ModelException;
import dev.superstep.model.ModelRef;
import dev.superstep.model.ScriptedModel;
import java.util.List;
import java.util.Optional;

/// Writes cells that were written before, one a turn, as a model would that knows what to do.
/// Immutable.
///
/// @param cells of the session that the question is put to
/// @param inside those of a session inside of it, where `<asked>` is what that one is asked
record ScriptedRoot(List<String> cells, List<String> inside) implements ChatModel {
  /// Begins the question for a session inside of another.
  static final String PART = "This is a part of a larger text.";

  private static final ModelRef REF = new ModelRef("scripted", "root");

  ScriptedRoot {
    cells = List.copyOf(cells);
    inside = List.copyOf(inside);
  }

  @Override
  public ModelRef ref() {
    return REF;
  }

  @Override
  public ChatReply call(ChatRequest request) {
    var asked = asked(request);
    var mine = asked.isPresent() ? inside : cells;
    long before = request.messages().stream().filter(AssistantMessage.class::isInstance).count();
    if (before < mine.size()) {
      var cell = mine.get((int) before).replace("<asked>", Json.string(asked.orElse("")).text());
      return ScriptedModel.text("```ragsh\n" + cell + "\n```");
    }
    throw new ModelException(
        ModelException.Kind.UNAVAILABLE,
        "the script is at its end; last told: " + request.messages().getLast().text());
  }

  /// The question to a session inside; empty if it is the outer one.
  private static Optional<String> asked(ChatRequest request) {
    for (var message : request.messages()) {
      int at = message instanceof UserMessage ? message.text().indexOf("\n\n" + PART) : -1;
      if (at >= 0) return Optional.of(message.text().substring(at + 2 + PART.length()).strip());
    }
    return Optional.empty();
  }
}
