package dev.superstep.checkpoint;

/// Makes the combined calls of a store that has none of its separate ones.
final class SeparateCalls extends ForwardingCheckpointer
    implements CheckpointerCapability.CombinedCalls {
  SeparateCalls(Checkpointer store) {
    super(store);
  }
}
