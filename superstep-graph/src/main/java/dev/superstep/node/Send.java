package dev.superstep.node;

import java.util.Objects;

/// Runs a node once in the next superstep, with an argument of its own. Thousands may be sent at
/// once, also to one node, also with equal arguments; their writes are folded in sending order.
public record Send<A>(Target<A> target, A argument) {
  public Send {
    Objects.requireNonNull(argument, () -> "the argument sent to `" + target.name() + "`");
  }

  /// Sends an argument.
  public static <A> Send<A> to(Target<A> target, A argument) {
    return new Send<>(target, argument);
  }
}
