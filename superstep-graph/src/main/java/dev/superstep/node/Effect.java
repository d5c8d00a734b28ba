package dev.superstep.node;

import dev.superstep.json.Json;

/// The effect of a step on the world outside, as its node declares it:
///
/// ```java
/// context.step("pay", Effect.irreversible(payment), Receipt.class, () -> bank.pay(payment));
/// ```
///
/// It decides what happens after a rewind, an edit or in a fork, when a node asks again for what
/// was done in the history that the thread has left. An equal request is answered from the record,
/// once for each recorded effect. Any other request of the same step is a question to a person:
/// [EffectConflict#QUESTION].
public sealed interface Effect {
  /// It changes nothing outside.
  record None() implements Effect {}

  /// A second one changes nothing more, or its receiver is given a key by which it can tell.
  record Idempotent() implements Effect {}

  /// It can be undone. Before another one is made in its place, it is.
  ///
  /// @param request what is asked for, by which two effects are compared
  record Reversible(Json request, Undo undo) implements Effect {}

  /// It cannot be undone.
  ///
  /// @param request what is asked for, by which two effects are compared
  record Irreversible(Json request) implements Effect {}

  /// Undoes an effect.
  @FunctionalInterface
  interface Undo {
    /// Undoes it. Is called again if the process dies before that is saved.
    ///
    /// @param request of the recorded effect
    /// @param result of the recorded effect
    void undo(Json request, Json result) throws Exception;
  }

  /// No effect outside.
  static Effect none() {
    return new None();
  }

  /// An effect that may happen twice.
  static Effect idempotent() {
    return new Idempotent();
  }

  /// An effect that can be undone.
  ///
  /// @param request a value of a closed type, or JSON
  static Effect reversible(Object request, Undo undo) {
    return new Reversible(json(request), undo);
  }

  /// An effect that cannot be undone.
  ///
  /// @param request a value of a closed type, or JSON
  static Effect irreversible(Object request) {
    return new Irreversible(json(request));
  }

  private static Json json(Object request) {
    return request instanceof Json json ? json : Json.of(request);
  }
}
