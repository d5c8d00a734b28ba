package dev.superstep.repl.internal.value;

/// Two operands and the places that keep their values.
public record Operands<T>(T first, T second, int firstPlace, int secondPlace) {}
