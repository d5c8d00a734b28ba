package dev.superstep.registry;

/// A listener for the events of a [Registry], called on the thread that causes them. Its exceptions
/// are logged and have no other effect.
@FunctionalInterface
public interface RegistryListener {
  void on(RegistryEvent event);
}
