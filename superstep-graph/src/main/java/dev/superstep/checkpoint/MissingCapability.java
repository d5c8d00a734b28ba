package dev.superstep.checkpoint;

import dev.superstep.json.SuperstepException;

/// A feature needs something that the checkpointer in use cannot do. Nothing was changed.
public final class MissingCapability extends SuperstepException {
  private final String feature;
  private final String capability;

  MissingCapability(String feature, String capability, Checkpointer store) {
    super(
        "store.missing-capability",
        "%s needs a checkpointer with the capability `%s`, which %s does not have. Nothing was changed. Use a checkpointer that implements `CheckpointerCapability.%s`."
            .formatted(feature, capability, named(store), capability));
    this.feature = feature;
    this.capability = capability;
  }

  /// Names a store, and those to which it forwards.
  private static String named(Checkpointer store) {
    var own = "`" + store.getClass().getName().replaceFirst(".*\\.", "") + "`";
    return store instanceof ForwardingCheckpointer around
        ? own + " over " + named(around.store())
        : own;
  }

  /// The feature that was asked for.
  public String feature() {
    return feature;
  }

  /// The simple name of the missing interface, such as `ThreadForks`.
  public String capability() {
    return capability;
  }
}
