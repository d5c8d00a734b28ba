package dev.superstep.registry;

/// Hears what happens at a [Registry], on the thread on which it happens. What it throws is logged
/// and harms nobody.
@FunctionalInterface
public interface RegistryListener {
  void on(RegistryEvent event);
}
