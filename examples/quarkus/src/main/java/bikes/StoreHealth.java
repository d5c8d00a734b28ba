package bikes;

import dev.superstep.checkpoint.Checkpointer;
import dev.superstep.checkpoint.Lineage;
import dev.superstep.checkpoint.StoreFailed;
import dev.superstep.graph.Drain;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.util.Optional;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Readiness;

/// Ready while the store of threads answers and new runs are taken.
@Readiness
@Singleton
class StoreHealth implements HealthCheck {
  /// No thread has this name; the store only has to say so.
  private static final Lineage NOBODY = Lineage.of("health");

  private final Checkpointer store;
  private final Drain drain;

  @Inject
  StoreHealth(Checkpointer store, Drain drain) {
    this.store = store;
    this.drain = drain;
  }

  @Override
  public HealthCheckResponse call() {
    return HealthCheckResponse.named("threads")
        .status(answers() && !drain.isStarted())
        .withData("running", drain.running().size())
        .build();
  }

  private boolean answers() {
    try {
      var _ = store.page(NOBODY, Optional.empty(), 1);
      return true;
    } catch (StoreFailed _) {
      return false;
    }
  }
}
