package dev.superstep.registry;

/// Makes a component for one run.
@FunctionalInterface
public interface Factory<T> {
  /// A new one.
  ///
  /// @throws Exception if it cannot be made; who asked gets [InstantiationFailed]
  T make(FactoryContext parts) throws Exception;
}
