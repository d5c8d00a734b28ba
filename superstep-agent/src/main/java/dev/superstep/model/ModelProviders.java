package dev.superstep.model;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.ServiceLoader;
import java.util.TreeSet;

/// Opens models with whatever adapters are on the class path or module path, and `scripted://FILE`
/// and `recorded://FILE` without one.
public final class ModelProviders {
  private ModelProviders() {}

  /// Opens a model with the keys of this process. Sends nothing. What the model does not say of
  /// itself, its profile has from the [ModelProfiles] on the path: the shipped catalogue.
  ///
  /// @throws ModelException of kind BAD_URL if nobody knows its scheme, of kind UNAVAILABLE if no
  ///   adapter for it is there or several claim it, and as [ModelProvider#open]
  public static ChatModel open(ModelRef ref) {
    return open(ref, Environment.ofProcess());
  }

  /// Opens a model with the keys and base URLs of an environment. Sends nothing.
  ///
  /// @throws ModelException of kind BAD_URL if nobody knows its scheme, of kind UNAVAILABLE if no
  ///   adapter for it is there or several claim it, and as [ModelProvider#open]
  public static ChatModel open(ModelRef ref, Environment environment) {
    return profiled(of(ref).open(ref, environment));
  }

  /// Opens a model as [#open(ModelRef, Environment)] does, by the adapters that a class loader
  /// finds, such as that of a program with an adapter of its own.
  public static ChatModel open(ModelRef ref, Environment environment, ClassLoader loader) {
    var found = choose(ref, all(ServiceLoader.load(ModelProvider.class, loader)));
    return profiled(found.open(ref, environment));
  }

  private static ChatModel profiled(ChatModel opened) {
    var model = opened;
    for (var profiles : ServiceLoader.load(ModelProfiles.class)) model = profiles.profiled(model);
    return model;
  }

  /// The adapter that opens a model.
  ///
  /// @throws ModelException of kind BAD_URL if nobody knows its scheme, of kind UNAVAILABLE if no
  ///   adapter for it is there or several claim it
  public static ModelProvider of(ModelRef ref) {
    return choose(ref, all(ServiceLoader.load(ModelProvider.class)));
  }

  private static List<ModelProvider> all(ServiceLoader<ModelProvider> found) {
    var all = new ArrayList<ModelProvider>();
    found.forEach(all::add);
    all.add(new FileModels());
    return all;
  }

  static ModelProvider choose(ModelRef ref, List<ModelProvider> providers) {
    var fit =
        providers.stream()
            .filter(provider -> provider.schemes().contains(ref.provider()))
            .sorted(Comparator.comparingInt(ModelProvider::rank).reversed())
            .toList();
    boolean isKnown = ModelRef.PROVIDERS.contains(ref.provider());
    if (fit.isEmpty() && !isKnown) throw unknown(ref, providers);
    if (fit.isEmpty()) throw unavailable(ref, "no adapter for it is on the path", providers);
    if (fit.size() > 1 && fit.get(0).rank() == fit.get(1).rank()) {
      var names = fit.get(0).getClass().getName() + " and " + fit.get(1).getClass().getName();
      throw unavailable(ref, names + " both claim it", providers);
    }
    return fit.getFirst();
  }

  private static ModelException unknown(ModelRef ref, List<ModelProvider> providers) {
    var known = new TreeSet<>(ModelRef.PROVIDERS);
    for (var provider : providers) known.addAll(provider.schemes());
    return new ModelException(
        ModelException.Kind.BAD_URL,
        "Model URL `%s` has the unknown scheme `%s`. Known: %s."
            .formatted(ref, ref.provider(), String.join(", ", known)));
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
