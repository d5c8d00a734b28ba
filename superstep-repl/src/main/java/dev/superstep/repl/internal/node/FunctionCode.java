package dev.superstep.repl.internal.node;

import dev.superstep.repl.internal.name.Variable;
import org.jspecify.annotations.Nullable;

/// The code of a function: what all functions made by the same `def` or lambda share.
final class FunctionCode {
  final String name;
  final String[] parameters;

  /// The number of parameters that take arguments in order.
  final int positional;

  final int positionalOnly;

  /// The place of `*args`, or -1.
  final int rest;

  /// The place of `**kwargs`, or -1.
  final int namedRest;

  private final Variable[] shared;
  final int[] freeSlots;
  private @Nullable Block body;
  private int slots;

  FunctionCode(String name, Heads heads, Variable[] shared, int[] freeSlots) {
    this.name = name;
    this.parameters = heads.names;
    this.positional = heads.positional;
    this.positionalOnly = heads.positionalOnly;
    this.rest = heads.rest;
    this.namedRest = heads.namedRest;
    this.shared = shared;
    this.freeSlots = freeSlots;
  }

  /// Parameters: those in order, those by name only, then the rests.
  @SuppressWarnings("ArrayRecordComponent") // Never compared or shown.
  record Heads(String[] names, int positional, int positionalOnly, int rest, int namedRest) {}

  void finish(Block made, int places) {
    body = made;
    slots = places;
  }

  Block body() {
    var made = body;
    if (made == null) throw new IllegalStateException(name + " is not finished");
    return made;
  }

  int slots() {
    return slots;
  }

  Variable[] shared() {
    return shared;
  }

  boolean isPlain() {
    return rest < 0 && namedRest < 0 && positional == parameters.length;
  }
}
