package dev.superstep.model;

import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Says which model is asked. Safe for many threads.
@FunctionalInterface
public interface ModelResolver {
  /// The model for a turn.
  ///
  /// @throws ModelException UNAVAILABLE if none can do what is needed; nothing was sent
  Resolved resolve(Wish wish);

  /// The wishes of a turn for its model.
  ///
  /// @param override a model that must be taken, if it can be
  /// @param hints models that would be good, the best first
  /// @param before the model of the turn before, if it is to be taken again
  /// @param needs what the model must be known to do
  record Wish(
      Optional<String> override,
      List<String> hints,
      Optional<ResolvedModel> before,
      Set<Capability> needs) {
    /// Nothing in particular.
    public static final Wish NONE =
        new Wish(Optional.empty(), List.of(), Optional.empty(), Set.of());

    public Wish {
      hints = List.copyOf(hints);
      needs = Set.copyOf(needs);
    }
  }

  /// A model, and what led to it.
  record Resolved(ChatModel model, ResolvedModel how) {}

  /// Always this model.
  static ModelResolver of(ChatModel model) {
    var ref = model.ref();
    var how = new ResolvedModel(ref.url(), ref, ResolvedModel.Source.AGENT, List.of());
    var always = new Resolved(model, how);
    return _ -> always;
  }
}
