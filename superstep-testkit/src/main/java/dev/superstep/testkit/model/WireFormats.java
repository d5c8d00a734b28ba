package dev.superstep.testkit.model;

import static dev.superstep.testkit.model.Feature.CACHED_INPUT;
import static dev.superstep.testkit.model.Feature.CACHE_WRITES;
import static dev.superstep.testkit.model.Feature.CALL_IDS;
import static dev.superstep.testkit.model.Feature.CALL_IDS_OF_OTHERS;
import static dev.superstep.testkit.model.Feature.CALL_SEALS;
import static dev.superstep.testkit.model.Feature.EFFORT;
import static dev.superstep.testkit.model.Feature.FORCED_CALLS;
import static dev.superstep.testkit.model.Feature.IMAGE_LINKS;
import static dev.superstep.testkit.model.Feature.RAW_ARGUMENTS;
import static dev.superstep.testkit.model.Feature.REASONING_TOKENS;
import static dev.superstep.testkit.model.Feature.REPLY_IDS;
import static dev.superstep.testkit.model.Feature.STOP;
import static dev.superstep.testkit.model.Feature.STREAMED_RAW_ARGUMENTS;
import static dev.superstep.testkit.model.Feature.THINKING;
import static dev.superstep.testkit.model.Feature.THINKING_BACK;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/// The protocols of the vendors, as a [ModelServer] speaks them, in the shapes that their
/// documentation shows.
public enum WireFormats {
  /// OpenAI's chat completions.
  OPENAI_CHAT,
  /// Chat completions of model servers, which demand what a model thought before its calls.
  OPENAI_COMPATIBLE,
  /// OpenAI's responses.
  OPENAI_RESPONSES,
  /// Mistral's chat completions.
  MISTRAL,
  /// Anthropic's messages.
  ANTHROPIC,
  /// Google's `generateContent`.
  GEMINI,
  /// Ollama's `/api/chat`.
  OLLAMA;

  /// Returns the form of answers.
  public WireFormat format() {
    return switch (this) {
      case OPENAI_CHAT -> new OpenAiWire(OpenAiRules.Kind.OPENAI);
      case OPENAI_COMPATIBLE -> new OpenAiWire(OpenAiRules.Kind.SERVER);
      case OPENAI_RESPONSES -> new ResponsesWire();
      case MISTRAL -> new OpenAiWire(OpenAiRules.Kind.MISTRAL);
      case ANTHROPIC -> new AnthropicWire();
      case GEMINI -> new GeminiWire();
      case OLLAMA -> new OllamaWire();
    };
  }

  /// Returns the features that the protocol can carry.
  public Set<Feature> features() {
    return switch (this) {
      case OPENAI_CHAT ->
          hosted(RAW_ARGUMENTS, STREAMED_RAW_ARGUMENTS, REASONING_TOKENS, EFFORT, STOP);
      case OPENAI_COMPATIBLE ->
          hosted(
              RAW_ARGUMENTS, STREAMED_RAW_ARGUMENTS, REASONING_TOKENS, THINKING_BACK, EFFORT, STOP);
      case OPENAI_RESPONSES ->
          hosted(RAW_ARGUMENTS, STREAMED_RAW_ARGUMENTS, REASONING_TOKENS, THINKING_BACK, EFFORT);
      case MISTRAL -> mistral();
      case ANTHROPIC -> hosted(STREAMED_RAW_ARGUMENTS, CACHE_WRITES, THINKING_BACK, EFFORT, STOP);
      case GEMINI -> hosted(REASONING_TOKENS, THINKING_BACK, CALL_SEALS, EFFORT, STOP);
      case OLLAMA -> Set.of(THINKING, THINKING_BACK, EFFORT, STOP);
    };
  }

  // Mistral takes ids of its own form only.
  private static Set<Feature> mistral() {
    var all = EnumSet.copyOf(hosted(RAW_ARGUMENTS, STREAMED_RAW_ARGUMENTS, REASONING_TOKENS, STOP));
    all.remove(CALL_IDS_OF_OTHERS);
    return all;
  }

  /// These features and those that every protocol of a hosted model has.
  private static Set<Feature> hosted(Feature... more) {
    var all =
        EnumSet.of(
            CALL_IDS,
            CALL_IDS_OF_OTHERS,
            CACHED_INPUT,
            THINKING,
            FORCED_CALLS,
            IMAGE_LINKS,
            REPLY_IDS);
    all.addAll(List.of(more));
    return all;
  }
}
