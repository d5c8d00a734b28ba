package dev.superstep.node;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/// Runs a node once in the next superstep, with an argument of its own. Thousands may be sent at
/// once, also to one node, also with equal arguments; their writes are folded in sending order.
///
/// @param timeout how long one attempt may take, in place of the node's own timeout; absent if that
///   holds
public record Send<A>(Target<A> target, A argument, Optional<Duration> timeout) {
  public Send {
    Objects.requireNonNull(argument, () -> "the argument sent to `" + target.name() + "`");
    timeout.ifPresent(Send::check);
  }

  /// Without a timeout of its own.
  public Send(Target<A> target, A argument) {
    this(target, argument, Optional.empty());
  }

  /// Sends an argument.
  public static <A> Send<A> to(Target<A> target, A argument) {
    return new Send<>(target, argument);
  }

  /// Sends each of some arguments, in their order: for a router that starts a task for each item.
  public static <A> List<Send<?>> each(Target<A> target, Collection<? extends A> arguments) {
    var sends = new ArrayList<Send<?>>(arguments.size());
    for (var argument : arguments) sends.add(Send.<A>to(target, argument));
    return Collections.unmodifiableList(sends);
  }

  /// Returns a copy whose task has this limit of time for each attempt, in place of that of its
  /// node (`NodePolicy.timeout`). The node's limit of idle time stays.
  public Send<A> timeout(Duration most) {
    return new Send<>(target, argument, Optional.of(most));
  }

  private static void check(Duration most) {
    if (most.isPositive()) return;
    throw new IllegalArgumentException("timeout must be positive, was " + most);
  }
}
