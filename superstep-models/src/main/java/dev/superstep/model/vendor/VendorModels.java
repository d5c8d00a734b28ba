package dev.superstep.model.vendor;

import static dev.superstep.model.ModelException.Kind.BAD_URL;

import dev.superstep.model.ChatModel;
import dev.superstep.model.Environment;
import dev.superstep.model.ModelException;
import dev.superstep.model.ModelRef;
import dev.superstep.model.wire.Endpoints;
import dev.superstep.model.wire.OpenAiChat;
import java.util.Set;

/// Opens models that answer over HTTP.
///
/// | URL | key | base URL, unless overridden |
/// |---|---|---|
/// | `openai://M` | `OPENAI_API_KEY` | `https://api.openai.com/v1` |
/// | `anthropic://M` | `ANTHROPIC_API_KEY` | `https://api.anthropic.com/v1` |
/// | `gemini://M` | `GEMINI_API_KEY` or `GOOGLE_API_KEY` | Google's `v1beta` |
/// | `mistral://M` | `MISTRAL_API_KEY` | `https://api.mistral.ai/v1` |
/// | `ollama://host:port/M` | none | `http://host:port` |
/// | `openai-compatible://http://host:port/v1/M` | see below | `http://host:port/v1` |
///
/// A key goes to its own vendor and nowhere else: `openai-compatible` sends
/// `SUPERSTEP_OPENAI_COMPATIBLE_API_KEY`, or no key, and redirects are not followed. The vendors'
/// own variables such as `OPENAI_BASE_URL` are not read, because a forgotten one would send the key
/// elsewhere; `SUPERSTEP_OPENAI_BASE_URL`, `SUPERSTEP_ANTHROPIC_BASE_URL`,
/// `SUPERSTEP_GEMINI_BASE_URL` and `SUPERSTEP_MISTRAL_BASE_URL` are, version segment included.
///
/// A call is one HTTP request: nothing is retried here. What a vendor cannot do is an error of kind
/// BAD_REQUEST, or one of these:
///
/// - A seed is left out for Anthropic. An effort is left out for Mistral, and for models of
///   Anthropic that cannot think or, before a forced call, must not.
/// - Ollama cannot make a model call a tool; where one is named, it is the only one offered.
/// - A schema goes to Anthropic's models since 4.5 as a grammar, without the limits that grammars
///   do not know; to older ones, and if a grammar cannot say it, as words in the prompt. Gemini
///   gets it without the keywords that it rejects. Callers validate answers in any case.
/// - A temperature and a share of likely tokens are left out for models that refuse them, or refuse
///   them while they think. A model that cannot be made to call a tool is offered the named one.
/// - A tool's name that vendors do not take is mapped, and a schema that is no plain object is sent
///   as one field of an object; both are mapped back in replies.
/// - Pictures and files that a tool gave go to Anthropic with the answer of the tool, to others in
///   a turn after it.
///
/// [dev.superstep.model.ModelProviders] finds these adapters, and prefers others that are on the
/// path, over the vendors' own libraries.
public final class VendorModels {
  /// The schemes that [#open] takes.
  public static final Set<String> PROVIDERS =
      Set.of("openai", "anthropic", "gemini", "mistral", "ollama", "openai-compatible");

  private VendorModels() {}

  /// Opens a model with the keys of this process. Sends nothing.
  ///
  /// @throws ModelException of kind BAD_URL, or of kind AUTH if the vendor's key is not set
  public static ChatModel open(ModelRef ref) {
    return open(ref, Environment.ofProcess());
  }

  /// Opens a model with the keys and base URLs of an environment. Sends nothing.
  ///
  /// @throws ModelException of kind BAD_URL, or of kind AUTH if the vendor's key is not set
  public static ChatModel open(ModelRef ref, Environment environment) {
    return new VendorModel(Endpoints.of(ref, environment), vendor(ref));
  }

  // Each case loads the classes of one vendor only: a command line pays for what it uses.
  static Vendor vendor(ModelRef ref) {
    return switch (ref.provider()) {
      case "openai" -> new Vendor.OpenAi(OpenAiChat.ofOpenAi());
      case "openai-compatible" -> new Vendor.OpenAi(OpenAiChat.ofServers());
      case "anthropic" -> new Vendor.Anthropic();
      case "gemini" -> new Vendor.Gemini();
      case "mistral" -> new Vendor.Mistral();
      case "ollama" -> new Vendor.Ollama();
      default ->
          throw new ModelException(
              BAD_URL,
              "`%s` is not a hosted model. Write one of: %s."
                  .formatted(
                      ref.url(), String.join("://, ", PROVIDERS.stream().sorted().toList())));
    };
  }
}
