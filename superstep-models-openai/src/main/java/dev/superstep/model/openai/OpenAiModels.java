package dev.superstep.model.openai;

import dev.superstep.model.ChatModel;
import dev.superstep.model.Environment;
import dev.superstep.model.ModelException;
import dev.superstep.model.ModelProvider;
import dev.superstep.model.ModelRef;
import dev.superstep.model.wire.Endpoints;
import java.util.Locale;
import java.util.Set;

/// Opens OpenAI's models over OpenAI's own library. Where this is on the path,
/// [dev.superstep.model.ModelProviders] opens `openai://` with it.
///
/// Models are asked by responses: these give thoughts back to the model, encrypted, while it calls
/// tools, and know whatever OpenAI adds next. `SUPERSTEP_OPENAI_API=chat` chooses chat completions,
/// which have stop texts. Nothing is stored at OpenAI either way. Summaries of thoughts are told if
/// they are asked for, which OpenAI allows to verified organizations only:
/// `request.withVendorOptions(Json.parse("{\"reasoning\":{\"summary\":\"auto\"}}"))`.
///
/// Keys and base URLs are those of the small adapter: `OPENAI_API_KEY`,
/// `SUPERSTEP_OPENAI_BASE_URL`. Nothing is retried here. A seed is left out by responses.
public final class OpenAiModels implements ModelProvider {
  private static final String CHOICE = "SUPERSTEP_OPENAI_API";

  /// The vendor's interfaces for asking a model.
  public enum Api {
    /// By responses.
    RESPONSES,
    /// By chat completions.
    CHAT
  }

  /// For the service loader; everything is static.
  public OpenAiModels() {}

  /// Opens a model with the key of an environment. Sends nothing.
  ///
  /// @throws ModelException of kind BAD_URL, or of kind AUTH if the key is not set
  public static ChatModel open(ModelRef ref, Environment environment, Api api) {
    if (!ref.provider().equals("openai")) {
      throw new ModelException(
          ModelException.Kind.BAD_URL,
          "`%s` is not a model of OpenAI. Example: `openai://gpt-5.2`.".formatted(ref.url()));
    }
    return new OpenAiModel(Endpoints.of(ref, environment), api);
  }

  @Override
  public Set<String> schemes() {
    return Set.of("openai");
  }

  @Override
  public int rank() {
    return OFFICIAL;
  }

  @Override
  public ChatModel open(ModelRef ref, Environment environment) {
    return open(ref, environment, api(environment));
  }

  private static Api api(Environment environment) {
    var word = environment.get(CHOICE).map(String::strip).orElse("");
    return switch (word.toLowerCase(Locale.ROOT)) {
      case "", "responses" -> Api.RESPONSES;
      case "chat" -> Api.CHAT;
      default ->
          throw new ModelException(
              ModelException.Kind.BAD_URL,
              "%s is `%s`. Write `responses` or `chat`.".formatted(CHOICE, word));
    };
  }

  @Override
  public String toString() {
    return "OpenAiModels";
  }
}
