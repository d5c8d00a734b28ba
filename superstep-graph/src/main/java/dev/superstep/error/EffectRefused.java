package dev.superstep.error;

import dev.superstep.json.SuperstepException;
import java.util.Optional;

/// A person refused an effect that differs from what was done before a rewind, an edit or a fork.
public final class EffectRefused extends SuperstepException {
  private final String effect;

  public EffectRefused(String effect, Optional<String> why) {
    super(
        "graph.effect-refused",
        "Effect `%s` was refused by a person%s. Update the state so that it is not asked for."
            .formatted(effect, why.map(text -> ": " + text).orElse("")));
    this.effect = effect;
  }

  /// The tool, or the node and the step.
  public String effect() {
    return effect;
  }
}
