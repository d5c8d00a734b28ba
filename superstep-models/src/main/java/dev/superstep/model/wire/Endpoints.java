package dev.superstep.model.wire;

import static dev.superstep.model.ModelException.Kind.AUTH;
import static dev.superstep.model.ModelException.Kind.BAD_URL;

import dev.superstep.model.Environment;
import dev.superstep.model.ModelException;
import dev.superstep.model.ModelRef;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;
import java.util.regex.Pattern;

/// Reads model URLs and finds their keys.
public final class Endpoints {
  private static final Pattern VERSION = Pattern.compile("/v[0-9]+[a-z0-9]*(?=/)");
  private static final Pattern NAME = Pattern.compile("\\w[\\w.:@+-]*(/\\w[\\w.:@+-]*)*");

  private Endpoints() {}

  /// Where a model is, with its key.
  ///
  /// @throws ModelException of kind BAD_URL, or of kind AUTH if the vendor's key is not set
  public static Endpoint of(ModelRef ref, Environment env) {
    return switch (ref.provider()) {
      case "openai" -> hosted(ref, env, "https://api.openai.com/v1", "OPENAI_API_KEY");
      case "anthropic" -> hosted(ref, env, "https://api.anthropic.com/v1", "ANTHROPIC_API_KEY");
      case "mistral" -> hosted(ref, env, "https://api.mistral.ai/v1", "MISTRAL_API_KEY");
      case "gemini" ->
          hosted(
              ref,
              env,
              "https://generativelanguage.googleapis.com/v1beta",
              "GEMINI_API_KEY",
              "GOOGLE_API_KEY");
      case "ollama" -> ollama(ref, env);
      case "openai-compatible" -> compatible(ref, env);
      default -> throw bad(ref, "its scheme is not that of a hosted model", "openai://gpt-5.2");
    };
  }

  private static Endpoint hosted(ModelRef ref, Environment env, String base, String... keys) {
    var variable = "SUPERSTEP_" + ref.provider().toUpperCase(Locale.ROOT) + "_BASE_URL";
    var set = env.get(variable).filter(value -> !value.isBlank());
    set.ifPresent(value -> checkBase(ref, variable, value));
    return new Endpoint(
        ref,
        trimmed(set.orElse(base)),
        name(ref, ref.model()),
        key(ref, env, keys),
        ReplyLimits.of(env));
  }

  private static Key key(ModelRef ref, Environment env, String... variables) {
    for (var variable : variables) {
      var value = env.get(variable).map(String::strip).filter(text -> !text.isEmpty());
      if (value.isPresent()) return new Key(variable, printable(ref, variable, value.get()));
    }
    throw new ModelException(
        AUTH,
        "No key for `%s`: %s is not set. Set it, or choose a local model such as"
                .formatted(ref.url(), String.join(" or ", variables))
            + " `local://gemma3-270m`.");
  }

  // A line break in a key would make the HTTP client put the whole header into its message.
  private static String printable(ModelRef ref, String variable, String value) {
    if (value.chars().allMatch(c -> c > ' ' && c < 127)) return value;
    throw new ModelException(
        AUTH,
        "The key for `%s` in %s holds a space or a character outside ASCII. Copy it again."
            .formatted(ref.url(), variable));
  }

  private static Endpoint ollama(ModelRef ref, Environment env) {
    var rest = ref.model();
    int slash = rest.indexOf('/');
    var example = "ollama://localhost:11434/qwen3:8b";
    if (slash < 0) throw bad(ref, "it names a server or a model, but not both", example);
    if (slash == 0) throw bad(ref, "it names no server", example);
    var base = "http://" + rest.substring(0, slash);
    if (!isServer(base)) throw bad(ref, "its server is not `host` or `host:port`", example);
    if (slash == rest.length() - 1) throw bad(ref, "it names no model", example);
    var model = name(ref, rest.substring(slash + 1));
    return new Endpoint(ref, base, model, Key.NONE, ReplyLimits.of(env));
  }

  private static Endpoint compatible(ModelRef ref, Environment env) {
    var rest = ref.model();
    var example = "openai-compatible://http://localhost:8080/v1/my-model";
    if (!isServer(rest)) throw bad(ref, "no http or https URL follows the scheme", example);
    int path = rest.indexOf('/', rest.indexOf("://") + 3);
    int split = path < 0 ? -1 : endOfBase(rest, path);
    if (split <= 0 || split >= rest.length() - 1) throw bad(ref, "it names no model", example);
    var variable = "SUPERSTEP_OPENAI_COMPATIBLE_API_KEY";
    var isSet = env.get(variable).filter(value -> !value.isBlank()).isPresent();
    var key = isSet ? key(ref, env, variable) : Key.NONE;
    var model = name(ref, rest.substring(split + 1));
    return new Endpoint(ref, rest.substring(0, split), model, key, ReplyLimits.of(env));
  }

  // The model may hold slashes, so the version segment ends the base: `…/v1` + `org/model`.
  private static int endOfBase(String url, int path) {
    var version = VERSION.matcher(url).region(path, url.length());
    return version.find() ? version.end() : url.lastIndexOf('/');
  }

  private static void checkBase(ModelRef ref, String variable, String base) {
    if (isServer(base)) return;
    throw new ModelException(
        BAD_URL,
        "%s, which overrides where `%s` is asked, is not an http or https URL."
            .formatted(variable, ref.url()));
  }

  private static boolean isServer(String url) {
    try {
      var uri = new URI(url);
      var scheme = uri.getScheme();
      return ("http".equals(scheme) || "https".equals(scheme))
          && uri.getHost() != null
          && uri.getPort() <= 65_535
          && uri.getRawUserInfo() == null
          && uri.getRawQuery() == null
          && uri.getRawFragment() == null;
    } catch (URISyntaxException _) {
      return false;
    }
  }

  private static String name(ModelRef ref, String model) {
    if (NAME.matcher(model).matches()) return model;
    throw bad(ref, "its model name holds characters that no vendor uses", "openai://gpt-5.2");
  }

  private static String trimmed(String base) {
    return base.endsWith("/") ? base.substring(0, base.length() - 1) : base;
  }

  // A URL with `user:password@` is not repeated: messages end up in logs.
  private static ModelException bad(ModelRef ref, String why, String example) {
    var shown = ref.model().contains("@") ? ref.provider() + "://…" : ref.url();
    return new ModelException(
        BAD_URL, "Model URL `%s` does not work: %s. Example: `%s`.".formatted(shown, why, example));
  }
}
