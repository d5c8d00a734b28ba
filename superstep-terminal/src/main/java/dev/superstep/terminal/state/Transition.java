package dev.superstep.terminal.state;

/// What an event makes of a status.
///
/// @param <S> of a conversation or of a step
public sealed interface Transition<S> {
  /// Another status, or the same one.
  record To<S>(S status) implements Transition<S> {}

  /// The status before the one that now ends: before an error, or a pause.
  record Back<S>() implements Transition<S> {}

  /// The event is not possible in this status.
  ///
  /// @param reason as a sentence
  record Illegal<S>(String reason) implements Transition<S> {}
}
