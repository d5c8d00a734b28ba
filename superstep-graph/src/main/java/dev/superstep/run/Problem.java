package dev.superstep.run;

/// A mistake in a graph's definition.
///
/// @param code stable, such as `unknown-node`
/// @param message what, where, and what to do
public record Problem(String code, String message) {}
