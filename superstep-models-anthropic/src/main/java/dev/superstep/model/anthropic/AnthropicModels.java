package dev.superstep.model.anthropic;

import dev.superstep.model.ChatModel;
import dev.superstep.model.Environment;
import dev.superstep.model.ModelException;
import dev.superstep.model.ModelProvider;
import dev.superstep.model.ModelRef;
import dev.superstep.model.wire.Endpoints;
import java.util.Set;

/// Opens Anthropic's models over Anthropic's own library. Where this is on the path,
/// [dev.superstep.model.ModelProviders] opens `anthropic://` with it.
///
/// Keys and base URLs are those of the small adapter: `ANTHROPIC_API_KEY`,
/// `SUPERSTEP_ANTHROPIC_BASE_URL`. Nothing is retried here. What of a request Anthropic is not told
/// is the same too.
public final class AnthropicModels implements ModelProvider {
  /// For the service loader.
  public AnthropicModels() {}

  @Override
  public Set<String> schemes() {
    return Set.of("anthropic");
  }

  @Override
  public int rank() {
    return OFFICIAL;
  }

  @Override
  public ChatModel open(ModelRef ref, Environment environment) {
    if (!ref.provider().equals("anthropic")) {
      throw new ModelException(
          ModelException.Kind.BAD_URL,
          "`%s` is not a model of Anthropic. Example: `anthropic://claude-sonnet-4-5`."
              .formatted(ref.url()));
    }
    return new AnthropicModel(Endpoints.of(ref, environment));
  }

  @Override
  public String toString() {
    return "AnthropicModels";
  }
}
