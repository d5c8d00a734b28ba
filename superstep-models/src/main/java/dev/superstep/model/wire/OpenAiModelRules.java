package dev.superstep.model.wire;

import static dev.superstep.model.Effort.HIGH;
import static dev.superstep.model.Effort.LOW;
import static dev.superstep.model.Effort.MAX;
import static dev.superstep.model.Effort.MEDIUM;
import static dev.superstep.model.Effort.MINIMAL;
import static dev.superstep.model.Effort.NONE;
import static dev.superstep.model.Effort.XHIGH;

import dev.superstep.model.ChatRequest;
import dev.superstep.model.Effort;
import java.util.Optional;
import java.util.regex.Pattern;

/// The differences between OpenAI's models in what they accept.
final class OpenAiModelRules {
  private static final Pattern REASONING = Pattern.compile("(gpt-[5-9]|gpt-\\d\\d|o\\d|codex).*");
  private static final Pattern BEFORE_GPT_5 = Pattern.compile("(o\\d|codex|gpt-oss).*");
  private static final Pattern GPT_5_0 = Pattern.compile("gpt-5(-(mini|nano|20\\d\\d).*)?");
  private static final Pattern SIX = Pattern.compile("gpt-([6-9]|\\d\\d).*");

  /// Those of them that need not think.
  private static final Pattern UNTHINKING_SIX = Pattern.compile("gpt-6(-sol|-luna|\\.1-terra).*");

  private static final Pattern CHAT = Pattern.compile("gpt-5.*-chat.*");

  private static final Pattern DEFERRING =
      Pattern.compile("gpt-(5\\.([4-9]|\\d\\d)|[6-9]|\\d\\d).*");

  private OpenAiModelRules() {}

  /// Returns whether the model thinks, and gives its thoughts encrypted.
  static boolean isReasoning(String model) {
    return REASONING.matcher(model).matches() && !CHAT.matcher(model).matches();
  }

  /// The levels that a model accepts; it refuses a request with any other.
  static EffortLevels efforts(String model) {
    if (!isReasoning(model)) return EffortLevels.NOT_TOLD;
    if (BEFORE_GPT_5.matcher(model).matches()) return EffortLevels.of(LOW, MEDIUM, HIGH);
    if (GPT_5_0.matcher(model).matches()) return EffortLevels.of(MINIMAL, LOW, MEDIUM, HIGH);
    if (model.startsWith("gpt-5-pro")) return EffortLevels.of(HIGH);
    if (model.startsWith("gpt-5-codex")) return EffortLevels.of(LOW, MEDIUM, HIGH);
    if (model.startsWith("gpt-5.1-codex-max")) return EffortLevels.of(LOW, MEDIUM, HIGH, XHIGH);
    if (model.startsWith("gpt-5.1-codex")) return EffortLevels.of(LOW, MEDIUM, HIGH);
    if (model.startsWith("gpt-5.1")) return EffortLevels.of(NONE, LOW, MEDIUM, HIGH);
    if (SIX.matcher(model).matches()) {
      return UNTHINKING_SIX.matcher(model).matches()
          ? EffortLevels.of(NONE, LOW, MEDIUM, HIGH, XHIGH, MAX)
          : EffortLevels.of(LOW, MEDIUM, HIGH, XHIGH, MAX);
    }
    if (model.contains("-pro")) return EffortLevels.of(MEDIUM, HIGH, XHIGH);
    if (model.contains("-codex")) return EffortLevels.of(LOW, MEDIUM, HIGH, XHIGH);
    return EffortLevels.of(NONE, LOW, MEDIUM, HIGH, XHIGH);
  }

  /// Returns whether the model searches for tools by itself: those since 5.4 do.
  static boolean defersTools(String model) {
    return DEFERRING.matcher(model).matches();
  }

  /// Returns whether the model accepts a temperature and a share of likely tokens: those that think
  /// do not while they think, and those since 5.1 think only if they are told to.
  static boolean maySample(String model, ChatRequest request) {
    if (!isReasoning(model)) return true;
    var levels = efforts(model);
    if (!levels.known().contains(NONE)) return false;
    Optional<Effort> told = request.effort().flatMap(levels::nearest);
    return told.isEmpty() || told.get() == NONE;
  }
}
