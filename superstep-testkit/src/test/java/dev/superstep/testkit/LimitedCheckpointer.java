package dev.superstep.testkit;

import dev.superstep.checkpoint.CheckpointerCapability;
import dev.superstep.checkpoint.CheckpointerCapability.CombinedCalls;
import dev.superstep.checkpoint.ForwardingCheckpointer;
import dev.superstep.checkpoint.InMemoryCheckpointer;
import java.util.Optional;
import java.util.Set;

/// A store that has only some capabilities.
final class LimitedCheckpointer extends ForwardingCheckpointer implements CombinedCalls {
  private final Set<Class<?>> offered;

  private LimitedCheckpointer(Set<Class<?>> offered) {
    super(new InMemoryCheckpointer());
    this.offered = offered;
  }

  static LimitedCheckpointer with(Class<?>... offered) {
    return new LimitedCheckpointer(Set.of(offered));
  }

  @Override
  public <C extends CheckpointerCapability> Optional<C> capability(Class<C> type) {
    return offered.contains(type) ? super.capability(type) : Optional.empty();
  }
}
