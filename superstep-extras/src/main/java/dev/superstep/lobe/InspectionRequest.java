package dev.superstep.lobe;

/// That a lobe wants to see something that is hidden from it. Immutable.
///
/// @param lobe who wants to see it
public record InspectionRequest(long round, String lobe, Subject subject) {
  /// The thing that the lobe wants to see.
  public sealed interface Subject {
    /// The value of a channel that it does not read.
    record OfChannel(String channel) implements Subject {}

    /// The notes of another lobe.
    record NotesOf(String lobe) implements Subject {}
  }
}
