package dev.superstep.terminal.backend;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The provider of the models of a conversation, and the layer that named it. An option of the
/// command comes first, then the environment, then a configuration file, then the default.
///
/// @param name of the provider
/// @param layer that named it
public record ProviderChoice(String name, Layer layer) {
  /// The variable that names a provider.
  public static final String VARIABLE = "SUPERSTEP_MODEL_PROVIDER";

  /// The variable that Parsec reads; it counts where [#VARIABLE] is not set.
  public static final String PARSEC_VARIABLE = "PARSEC_MODEL_PROVIDER";

  /// The provider that nobody has to name.
  public static final String STANDARD = "google-ai";

  /// The layers, the strongest first.
  public enum Layer {
    /// An option of the command.
    OPTION,
    /// The variable [#VARIABLE].
    ENVIRONMENT,
    /// The variable [#PARSEC_VARIABLE].
    PARSEC_ENVIRONMENT,
    /// A configuration file.
    CONFIGURATION,
    /// The default.
    STANDARD
  }

  /// Chooses a provider.
  ///
  /// @param option null or blank if none is given, as the other arguments
  public static ProviderChoice of(
      @Nullable String option, Map<String, String> environment, @Nullable String configured) {
    var layers = new LinkedHashMap<Layer, @Nullable String>();
    layers.put(Layer.OPTION, option);
    layers.put(Layer.ENVIRONMENT, environment.get(VARIABLE));
    layers.put(Layer.PARSEC_ENVIRONMENT, environment.get(PARSEC_VARIABLE));
    layers.put(Layer.CONFIGURATION, configured);
    for (var layer : layers.entrySet()) {
      var name = layer.getValue();
      if (name != null && !name.isBlank()) {
        return new ProviderChoice(name.strip(), layer.getKey());
      }
    }
    return new ProviderChoice(STANDARD, Layer.STANDARD);
  }
}
