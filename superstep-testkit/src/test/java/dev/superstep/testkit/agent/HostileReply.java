package dev.superstep.testkit.agent;

import dev.superstep.json.Json;
import dev.superstep.message.AssistantMessage;
import dev.superstep.message.Content;
import dev.superstep.message.ToolCall;
import dev.superstep.model.ChatReply;
import dev.superstep.model.ModelException;
import dev.superstep.model.ScriptedModel;
import dev.superstep.model.Usage;
import dev.superstep.testkit.Choices;
import dev.superstep.testkit.Gen;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// What models say on bad days. Immutable.
///
/// @param failure what it throws in place of a reply, if it does
/// @param pieces in which a stream gives its text; some are empty
record HostileReply(
    Optional<ModelException.Kind> failure,
    List<Content> content,
    List<ToolCall> calls,
    ChatReply.Finish finish,
    List<String> pieces) {
  private static final List<String> TEXTS =
      List.of(
          "",
          " ",
          "\n",
          "\t",
          "ok",
          "\u0000",
          "\uD800",
          "👩‍🚀",
          "```json\n```",
          "null",
          "{}",
          "[]",
          "x".repeat(5_000));
  private static final List<String> IDS = List.of("a", "", " ", "a", "b", "i".repeat(3_000));
  private static final List<String> TOOLS =
      List.of(
          "look",
          "echo",
          "fail",
          "empty",
          "helper",
          "answer",
          "",
          " ",
          "Look",
          "no_such",
          "n".repeat(4_000),
          "a b\n\"c\"",
          "{}");
  private static final List<String> ARGUMENTS =
      List.of(
          "{}",
          "",
          " ",
          "{\"text\":\"hi\"}",
          "{\"text\":\"\"}",
          "{\"text\":null}",
          "{\"text\":7}",
          "{\"task\":\"help\"}",
          "{\"task\":\"\"}",
          "{\"answer\":\"yes\"}",
          "{\"text\": lo",
          "null",
          "[]",
          "\"\"",
          "{\"text\":\"a\",\"text\":\"b\"}",
          "{}{}",
          "\u0000",
          "[".repeat(3_000),
          "{\"text\":\"" + "y".repeat(9_000) + "\"}");

  static Gen<List<HostileReply>> replies() {
    return choices -> choices.list(8, HostileReply::draw);
  }

  private static HostileReply draw(Choices choices) {
    var failure =
        choices.chance(8)
            ? Optional.of(choices.of(ModelException.Kind.values()))
            : Optional.<ModelException.Kind>empty();
    return new HostileReply(
        failure,
        choices.list(3, HostileReply::part),
        choices.list(4, HostileReply::call),
        choices.of(ChatReply.Finish.values()),
        choices.list(3, c -> c.of(TEXTS)));
  }

  private static Content part(Choices choices) {
    var text = choices.of(TEXTS);
    return switch (choices.below(5)) {
      case 0, 1 -> new Content.Text(text);
      case 2 -> new Content.Thinking(text, Optional.empty());
      case 3 -> new Content.Data(Json.unchecked(choices.of("null", "\"\"", "{}", "[]")));
      default -> new Content.Image("image/png", "");
    };
  }

  private static ToolCall call(Choices choices) {
    return new ToolCall(choices.of(IDS), choices.of(TOOLS), choices.of(ARGUMENTS));
  }

  /// @throws ModelException if it is a failure
  ChatReply reply() {
    if (failure.isPresent()) throw new ModelException(failure.get(), "A bad day.");
    return ScriptedModel.reply(
        new AssistantMessage("", new ArrayList<>(content), calls), Usage.NONE, finish);
  }
}
