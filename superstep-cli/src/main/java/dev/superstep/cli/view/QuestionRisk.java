package dev.superstep.cli.view;

import dev.superstep.agent.run.Review;
import dev.superstep.agent.steering.Steering;
import dev.superstep.checkpoint.Interrupt;
import dev.superstep.json.Codec;
import dev.superstep.json.Json;
import dev.superstep.json.MalformedJson;
import dev.superstep.mcp.McpQuestions;
import dev.superstep.node.EffectConflict;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// The risk of approving a question without having read it. Calls of tools are risky, since nothing
/// says that they only read; so are effects that may happen twice and graphs that a model wrote.
/// The payload of any other question may say that it is risky, and can never say that it is not.
public final class QuestionRisk {
  private static final String PROPOSAL = "rag-proposal";
  private static final Set<String> HARMLESS =
      Set.of("null", "false", "[]", "0", "\"\"", "\"none\"", "\"low\"");
  // The fields by which a payload says that it is risky.
  private static final List<String> HINTS =
      List.of("risk", "danger", "destructive", "irreversible", "effects");
  private static final int TOOLS_MAX = 5;

  private QuestionRisk() {}

  /// Returns true if a yes approves nothing that happens outside, so that it may be offered for all
  /// questions at once. Nothing is known about the questions of programs, so they are not.
  static boolean isHarmless(Interrupt question) {
    return question.question().equals(Steering.PAUSED.name())
        && question.answerType().equals(Steering.PAUSED.answer().type())
        && of(question).isEmpty();
  }

  /// The reason why nobody should approve a question unseen; empty if none is known.
  public static Optional<String> of(Interrupt question) {
    if (question.question().equals(Review.QUESTION.name())) return Optional.of(calls(question));
    if (question.question().equals(EffectConflict.QUESTION.name())) {
      return Optional.of("something may be done a second time");
    }
    if (question.question().equals(McpQuestions.TOOL_CHANGED.name())) {
      return Optional.of("an MCP server offers a tool that is not as it was approved");
    }
    if (question.question().equals(PROPOSAL)) return Optional.of("a model wrote what would run");
    return hinted(question.payload());
  }

  private static String calls(Interrupt question) {
    try {
      var tools =
          Review.QUESTION.read(question).actions().stream()
              .map(Review.Action::name)
              .distinct()
              .limit(TOOLS_MAX)
              .collect(Collectors.joining(", "));
      return "an agent would call " + tools;
    } catch (MalformedJson _) {
      return "an agent would call a tool";
    }
  }

  private static Optional<String> hinted(Json payload) {
    // Most payloads are texts or lists.
    if (!payload.text().startsWith("{")) return Optional.empty();
    try {
      var fields = Codec.mapOf(Json.class).decode(payload);
      return HINTS.stream().flatMap(name -> said(name, fields.get(name)).stream()).findFirst();
    } catch (MalformedJson _) {
      return Optional.empty();
    }
  }

  private static Optional<String> said(String name, @Nullable Json value) {
    return Optional.ofNullable(value)
        .map(json -> json.text().strip())
        .filter(text -> !HARMLESS.contains(text.toLowerCase(Locale.ROOT)))
        .map(text -> "it says `" + name + "`: " + text);
  }
}
