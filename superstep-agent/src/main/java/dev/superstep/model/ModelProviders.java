package dev.superstep.model;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.ServiceLoader;
import java.util.TreeSet;

/// Opens models with whatever adapters are on the class path or module path.
public final class ModelProviders {
  private ModelProviders() {}

  /// Opens a model with the keys of this process. Sends nothing. What the model does not say of
  /// itself, its profile has from the [ModelProfiles] on the path: the shipped catalogue.
  ///
  /// @throws ModelException of kind UNAVAILABLE if no adapter for its scheme is there, and as
  ///   [ModelProvider#open]
  public static ChatModel open(ModelRef ref) {
    return open(ref, Environment.ofProcess());
  }

  /// Opens a model with the keys and base URLs of an environment. Sends nothing.
  ///
  /// @throws ModelException of kind UNAVAILABLE if no adapter for its scheme is there, and as
  ///   [ModelProvider#open]
  public static ChatModel open(ModelRef ref, Environment environment) {
    var model = of(ref).open(ref, environment);
    for (var profiles : ServiceLoader.load(ModelProfiles.class)) model = profiles.profiled(model);
    return model;
  }

  /// The adapter that opens a model.
  ///
  /// @throws ModelException of kind UNAVAILABLE if no adapter for its scheme is there
  public static ModelProvider of(ModelRef ref) {
    var all = new ArrayList<ModelProvider>();
    ServiceLoader.load(ModelProvider.class).forEach(all::add);
    return choose(ref, all);
  }

  static ModelProvider choose(ModelRef ref, List<ModelProvider> providers) {
    var fit =
        providers.stream()
            .filter(provider -> provider.schemes().contains(ref.provider()))
            .sorted(Comparator.comparingInt(ModelProvider::rank).reversed())
            .toList();
    if (fit.isEmpty()) throw unavailable(ref, "no adapter for it is on the path", providers);
    if (fit.size() > 1 && fit.get(0).rank() == fit.get(1).rank()) {
      var names = fit.get(0).getClass().getName() + " and " + fit.get(1).getClass().getName();
      throw unavailable(ref, names + " both claim it", providers);
    }
    return fit.getFirst();
  }

  private static ModelException unavailable(
      ModelRef ref, String why, List<ModelProvider> providers) {
    var schemes = new TreeSet<String>();
    for (var provider : providers) schemes.addAll(provider.schemes());
    var known = schemes.isEmpty() ? "none" : String.join(", ", schemes);
    return new ModelException(
        ModelException.Kind.UNAVAILABLE,
        "Model `%s` cannot be opened: %s. Schemes with an adapter: %s. Add one, such as superstep-models, or remove one."
            .formatted(ref, why, known));
  }
}
