package dev.superstep.rag.component;

import dev.superstep.registry.Registry;

/// The components in Java of a folder with graphs as text. Named by `[components]` in the folder's
/// `superstep.toml`; has a public constructor without arguments.
///
/// ```java
/// public final class DeskComponents implements Components {
///   @Override
///   public void register(Registry registry) {
///     registry.register(Component.of(Kind.TOOL, "look_up", lookUp()));
///   }
/// }
/// ```
public interface Components {
  /// Registers what the texts name. The models, prompts and tools of the folder are registered
  /// already, and an agent may be made of them.
  void register(Registry registry);
}
