package dev.superstep.registry;

/// One thing that is wrong with a registry, or odd about it.
///
/// @param code stable, such as `dangling-alias`
/// @param message what, where, and what to do
public record Diagnostic(Severity severity, String code, ComponentId about, String message) {
  /// How bad it is.
  public enum Severity {
    /// Something will fail.
    ERROR,
    /// Something is probably not meant.
    WARNING
  }
}
