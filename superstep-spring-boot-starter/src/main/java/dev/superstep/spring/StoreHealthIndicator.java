package dev.superstep.spring;

import dev.superstep.checkpoint.Checkpointer;
import dev.superstep.checkpoint.Lineage;
import dev.superstep.graph.Drain;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;

/// Tells whether the store of threads answers, and whether new runs are taken. Tells nothing of
/// what is in the store.
final class StoreHealthIndicator extends AbstractHealthIndicator {
  /// No thread has this name; the store only has to say so.
  private static final Lineage NOBODY = Lineage.of("superstep-health");

  private final Checkpointer store;
  private final @Nullable Drain drain;

  StoreHealthIndicator(Checkpointer store, @Nullable Drain drain) {
    super("The store of threads does not answer.");
    this.store = store;
    this.drain = drain;
  }

  @Override
  protected void doHealthCheck(Health.Builder builder) {
    var _ = store.page(NOBODY, Optional.empty(), 1);
    builder.up().withDetail("store", store.getClass().getSimpleName());
    var draining = drain;
    if (draining == null) return;
    builder.withDetail("running", draining.running().size());
    if (draining.isStarted()) builder.outOfService();
  }
}
