package dev.superstep.model;

import java.util.Locale;
import java.util.Set;

/// A model as users name it: `provider://model`, such as `openai://gpt-5.2`,
/// `ollama://localhost:11434/qwen3:8b`, `openai-compatible://http://localhost:8080/v1/my-model` or
/// `local://gemma3-270m`. Immutable.
///
/// @param provider one of [#PROVIDERS]
/// @param model what follows `://`; its form is the provider's business
public record ModelRef(String provider, String model) {
  /// Every scheme that Superstep knows.
  public static final Set<String> PROVIDERS =
      Set.of(
          "openai",
          "anthropic",
          "gemini",
          "mistral",
          "ollama",
          "openai-compatible",
          "langchain4j",
          "local",
          "scripted",
          "recorded");

  public ModelRef {
    if (!PROVIDERS.contains(provider)) {
      throw new ModelException(
          ModelException.Kind.BAD_URL,
          "Model URL `"
              + provider
              + "://"
              + model
              + "` has the unknown scheme `"
              + provider
              + "`. Known: "
              + String.join(", ", PROVIDERS.stream().sorted().toList())
              + ".");
    }
    if (model.isBlank()) {
      throw new ModelException(
          ModelException.Kind.BAD_URL,
          "Model URL `" + provider + "://` names no model. Example: `local://gemma3-270m`.");
    }
  }

  /// Reads a model URL.
  ///
  /// @throws ModelException of kind BAD_URL that says what is missing
  public static ModelRef parse(String url) {
    int colon = url.indexOf("://");
    if (colon <= 0) {
      throw new ModelException(
          ModelException.Kind.BAD_URL,
          "`"
              + url
              + "` is not a model URL. Write `provider://model`, such as"
              + " `local://gemma3-270m` or `openai://gpt-5.2`.");
    }
    var scheme = url.substring(0, colon).toLowerCase(Locale.ROOT);
    return new ModelRef(scheme, url.substring(colon + 3));
  }

  /// The URL form, as [#parse] reads it.
  public String url() {
    return provider + "://" + model;
  }

  @Override
  public String toString() {
    return url();
  }
}
