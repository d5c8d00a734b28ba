package dev.superstep.spring;

import dev.superstep.model.ChatModel;
import dev.superstep.model.Environment;
import dev.superstep.model.ModelException;
import dev.superstep.model.ModelProviders;
import dev.superstep.model.ModelRef;
import dev.superstep.spring.SuperstepProperties.ModelSettings;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The models of the properties `superstep.models.NAME`, by these names. Safe for many threads.
///
/// ```java
/// @Bean
/// Agent<String> judge(Models models) {
///   return Agent.named("judge").model(models.get("careful")).build();
/// }
/// ```
public final class Models implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Models.class);
  static final String DEFAULT = "default";
  private static final Set<String> HOSTED = Set.of("openai", "anthropic", "gemini", "mistral");

  private final Map<String, ChatModel> byName;
  private final String standard;
  private final @Nullable ChatModel others;

  /// Models by name.
  public Models(Map<String, ? extends ChatModel> byName) {
    this(byName, only(byName));
  }

  private Models(Map<String, ? extends ChatModel> byName, String standard) {
    this.byName = new LinkedHashMap<>(byName);
    this.standard = standard;
    this.others = null;
  }

  private static String only(Map<String, ?> byName) {
    return byName.size() == 1 ? byName.keySet().iterator().next() : DEFAULT;
  }

  private Models(ChatModel every) {
    this.byName = Map.of();
    this.standard = DEFAULT;
    this.others = every;
  }

  /// This model by every name, as for tests.
  public static Models always(ChatModel model) {
    return new Models(model);
  }

  /// Opens all of them, so that a missing key stops the start and not a request. Sends nothing.
  ///
  /// @param further those that have no settings; settings of the same name are preferred
  static Models open(
      Map<String, ModelSettings> settings, Environment variables, Map<String, ChatModel> further) {
    var models = new LinkedHashMap<>(further);
    settings.forEach((name, model) -> models.put(name, open(name, model, variables)));
    return new Models(models, only(settings));
  }

  private static ChatModel open(String name, ModelSettings settings, Environment variables) {
    try {
      var ref = ModelRef.parse(settings.url());
      return ModelProviders.open(ref, withSettings(ref.provider(), settings, variables));
    } catch (ModelException e) {
      throw new ModelException(
          e.kind(), "superstep.models.%s: %s".formatted(name, e.getMessage()), null, e.getCause());
    }
  }

  /// The settings of one model go to its own vendor only, whatever others are set.
  private static Environment withSettings(
      String provider, ModelSettings settings, Environment variables) {
    var own = new LinkedHashMap<String, String>();
    var key = settings.key();
    if (key != null && !key.isBlank()) own.put(keyVariable(provider), key);
    var base = settings.baseUrl();
    if (base != null && !base.isBlank()) own.put(baseVariable(provider), base);
    return variable -> Optional.ofNullable(own.get(variable)).or(() -> variables.get(variable));
  }

  private static String keyVariable(String provider) {
    if (HOSTED.contains(provider)) return upper(provider) + "_API_KEY";
    if (provider.equals("openai-compatible")) return "SUPERSTEP_OPENAI_COMPATIBLE_API_KEY";
    throw unused("key", provider);
  }

  private static String baseVariable(String provider) {
    if (HOSTED.contains(provider)) return "SUPERSTEP_" + upper(provider) + "_BASE_URL";
    throw unused("base-url", provider);
  }

  private static String upper(String provider) {
    return provider.toUpperCase(Locale.ROOT);
  }

  private static ModelException unused(String property, String provider) {
    return new ModelException(
        ModelException.Kind.BAD_URL,
        "models of `%s://` take no `%s`. Remove it, or set what the adapter itself reads."
            .formatted(provider, property));
  }

  /// The model of this name.
  ///
  /// @throws ModelException of kind UNAVAILABLE if no property names it
  public ChatModel get(String name) {
    var model = byName.getOrDefault(name, others);
    if (model != null) return model;
    throw new ModelException(
        ModelException.Kind.UNAVAILABLE,
        "There is no model `%s`. Set superstep.models.%s.url; there are: %s."
            .formatted(name, name, new TreeSet<>(byName.keySet())));
  }

  /// All names.
  public Set<String> names() {
    return Set.copyOf(byName.keySet());
  }

  /// The only one that has settings, or the one named `default`.
  ChatModel standard() {
    return get(standard);
  }

  /// Ends what the models started, such as the process of a local one.
  @Override
  public void close() {
    for (var model : byName.values()) {
      if (model instanceof AutoCloseable open) close(open);
    }
  }

  private static void close(AutoCloseable model) {
    try {
      model.close();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (Exception e) {
      // The others are still to be closed.
      LOG.warn("A model could not be closed.", e);
    }
  }

  @Override
  public String toString() {
    return "Models" + new TreeSet<>(byName.keySet());
  }
}
