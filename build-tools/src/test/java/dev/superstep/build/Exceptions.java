package dev.superstep.build;

import dev.superstep.build.Declarations.Method;
import java.util.Map;

/// Methods that may be longer than the limit or take more parameters, each with its reason. A
/// parser, a lexer or a `switch` over opcodes may ask for a place here.
final class Exceptions {
  /// `Type.method` to reason.
  private static final Map<String, String> REASONS = Map.of();

  private Exceptions() {}

  static boolean allow(Method method) {
    return REASONS.containsKey(method.name());
  }
}
