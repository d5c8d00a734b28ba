package dev.superstep.model;

import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/// A model as users name it: `provider://model`, such as `openai://gpt-5.2`,
/// `ollama://localhost:11434/qwen3:8b`, `openai-compatible://http://localhost:8080/v1/my-model` or
/// `local://gemma3-270m`. Immutable.
///
/// Anybody can bring models under a scheme of their own: see [ModelProvider].
///
/// @param provider the scheme, in lower case: one of [#PROVIDERS], or one of somebody else's
/// @param model what follows `://`; its form is the provider's business
public record ModelRef(String provider, String model) {
  /// Every scheme that Superstep brings itself.
  public static final Set<String> PROVIDERS =
      Set.of(
          "openai",
          "anthropic",
          "gemini",
          "mistral",
          "ollama",
          "openai-compatible",
          "langchain4j",
          "spring-ai",
          "local",
          "scripted",
          "recorded");

  private static final Pattern SCHEME = Pattern.compile("[a-z][a-z0-9+.-]*");

  public ModelRef {
    if (!SCHEME.matcher(provider).matches()) {
      throw new ModelException(
          ModelException.Kind.BAD_URL,
          "Model URL `"
              + provider
              + "://"
              + model
              + "` has no scheme: one is a letter, then letters, digits, `+`, `-` and `.`.");
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
