package dev.superstep.model;

import java.util.List;

/// Which model answers, and why that one. Kept with the state of an agent, so that a resumed run
/// can go on with the same.
///
/// @param name under which it was found, such as that of a registry; the URL if there is none
/// @param ref which model it is
/// @param source what led to it
/// @param passedOver what was tried before, each with the reason why it was not taken
public record ResolvedModel(String name, ModelRef ref, Source source, List<String> passedOver) {
  /// The source of a choice, in the order in which sources are asked.
  public enum Source {
    /// The request named it.
    OVERRIDE,
    /// The turn before used it.
    REUSE,
    /// A hint named it.
    HINT,
    /// The agent's own.
    AGENT,
    /// The registry's.
    REGISTRY,
    /// The first that can do what is needed.
    FALLBACK
  }

  public ResolvedModel {
    passedOver = List.copyOf(passedOver);
  }
}
