package dev.superstep.tool;

import dev.superstep.message.ToolCall;
import java.util.Optional;

/// Part of a [ToolGate]. Safe for many threads, and free of side effects.
@FunctionalInterface
public interface ToolRule {
  /// Decides whether a tool may be called.
  ///
  /// @param call what it would be called with, or empty if the question is whether a model gets to
  ///   see it at all; then only a denial counts
  GateDecision judge(Tool tool, Optional<ToolCall> call);
}
