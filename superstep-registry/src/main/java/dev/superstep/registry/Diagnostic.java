package dev.superstep.registry;

/// An error or a warning about a registry.
///
/// @param code stable, such as `dangling-alias`
/// @param message what, where, and what to do
public record Diagnostic(Severity severity, String code, ComponentId about, String message) {
  /// The severity of a diagnostic.
  public enum Severity {
    /// Something will fail.
    ERROR,
    /// Something is probably not meant.
    WARNING
  }
}
