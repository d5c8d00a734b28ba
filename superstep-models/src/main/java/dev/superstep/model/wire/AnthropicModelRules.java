package dev.superstep.model.wire;

import static dev.superstep.model.Effort.HIGH;
import static dev.superstep.model.Effort.LOW;
import static dev.superstep.model.Effort.MAX;
import static dev.superstep.model.Effort.MEDIUM;
import static dev.superstep.model.Effort.XHIGH;

import dev.superstep.model.ChatRequest;
import dev.superstep.model.ToolChoice;
import java.util.regex.Pattern;

/// The differences between Anthropic's models in what they accept.
final class AnthropicModelRules {
  private static final Pattern THOUGHTLESS = Pattern.compile("claude-(instant|2|3(?!-7)).*");
  private static final Pattern BUDGETED =
      Pattern.compile("claude-(3-7.*|[a-z]+-4(-[0-5])?([-@](\\d{8}|latest|v\\d).*)?)");
  private static final Pattern GRAMMAR =
      Pattern.compile("claude-((opus|sonnet|haiku)-(4-[5-9]|[5-9]|\\d\\d)|fable|mythos)(?!\\d).*");
  private static final Pattern FOUR_SIX = Pattern.compile("claude-[a-z]+-4-6(?!\\d).*");
  private static final Pattern ONE_SHARE =
      Pattern.compile("claude-(opus-4-1|[a-z]+-4-[56])(?!\\d).*");
  private static final Pattern UNFORCED =
      Pattern.compile("claude-((opus|sonnet)-5-5|(fable|mythos)-5-1)(?!\\d).*");

  private static final Pattern UNDEFERRING =
      Pattern.compile(
          "claude-(instant|2|3|(opus|sonnet|haiku)-4(-[01])?([-@](\\d{8}|latest).*)?$).*");

  private AnthropicModelRules() {}

  /// Returns whether the model never thinks.
  static boolean isThoughtless(String model) {
    return THOUGHTLESS.matcher(model).matches();
  }

  /// Returns whether the model thinks within a budget of tokens; others decide by an effort.
  static boolean isBudgeted(String model) {
    return BUDGETED.matcher(model).matches();
  }

  /// Returns whether the model is held to a schema for its answer.
  static boolean takesGrammar(String model) {
    return GRAMMAR.matcher(model).matches();
  }

  /// Returns whether the model searches for tools by itself: those since 4.5 do.
  static boolean defersTools(String model) {
    return !UNDEFERRING.matcher(model).matches();
  }

  /// Returns whether the model may be made to call a tool.
  static boolean isForced(String model) {
    return !UNFORCED.matcher(model).matches();
  }

  /// Returns whether a conversation may end with the beginning of the answer.
  static boolean takesPrefill(String model) {
    return isThoughtless(model) || isBudgeted(model);
  }

  /// The levels of a model that decides by an effort.
  static EffortLevels efforts(String model) {
    return FOUR_SIX.matcher(model).matches()
        ? EffortLevels.of(LOW, MEDIUM, HIGH, MAX)
        : EffortLevels.of(LOW, MEDIUM, HIGH, XHIGH, MAX);
  }

  /// Returns whether the model accepts a temperature: newer ones have none, nor one that thinks.
  static boolean takesTemperature(String model, boolean thinks) {
    boolean has = isThoughtless(model) || isBudgeted(model) || FOUR_SIX.matcher(model).matches();
    return has && !thinks;
  }

  /// Returns whether the model accepts a share of likely tokens with the rest of this request.
  static boolean takesTopP(String model, ChatRequest request, boolean thinks) {
    if (thinks) return false;
    if (!takesTemperature(model, false)) return false;
    return request.temperature().isEmpty() || !ONE_SHARE.matcher(model).matches();
  }

  /// Returns whether a request makes the model call a tool.
  static boolean isForcing(ChatRequest request) {
    if (request.tools().isEmpty()) return false;
    return switch (request.toolChoice()) {
      case ToolChoice.Required _, ToolChoice.Named _ -> true;
      case ToolChoice.Auto _, ToolChoice.None _ -> false;
    };
  }
}
