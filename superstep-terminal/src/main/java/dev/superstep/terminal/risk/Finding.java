package dev.superstep.terminal.risk;

import dev.superstep.language.Span;

/// A reason why a command is dangerous. Immutable.
///
/// @param code stable, such as `delete-recursive`
/// @param span the part of the command that it is about
/// @param reason a plain sentence
public record Finding(RiskAxis axis, RiskLevel level, String code, Span span, String reason) {}
