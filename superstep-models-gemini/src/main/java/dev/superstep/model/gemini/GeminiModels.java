package dev.superstep.model.gemini;

import dev.superstep.model.ChatModel;
import dev.superstep.model.Environment;
import dev.superstep.model.ModelException;
import dev.superstep.model.ModelProvider;
import dev.superstep.model.ModelRef;
import dev.superstep.model.wire.Endpoints;
import java.util.Set;

/// Opens Gemini over Google's own library. Where this is on the path,
/// [dev.superstep.model.ModelProviders] opens `gemini://` with it.
///
/// Keys and base URLs are those of the small adapter: `GEMINI_API_KEY`,
/// `SUPERSTEP_GEMINI_BASE_URL`. Nothing is retried here. What of a request Gemini is not told is
/// the same too.
public final class GeminiModels implements ModelProvider {
  /// For the service loader.
  public GeminiModels() {}

  @Override
  public Set<String> schemes() {
    return Set.of("gemini");
  }

  @Override
  public int rank() {
    return OFFICIAL;
  }

  @Override
  public ChatModel open(ModelRef ref, Environment environment) {
    if (!ref.provider().equals("gemini")) {
      throw new ModelException(
          ModelException.Kind.BAD_URL,
          "`%s` is not a model of Google. Example: `gemini://gemini-2.5-flash`."
              .formatted(ref.url()));
    }
    return new GeminiModel(Endpoints.of(ref, environment));
  }

  @Override
  public String toString() {
    return "GeminiModels";
  }
}
