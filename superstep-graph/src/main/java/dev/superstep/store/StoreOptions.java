package dev.superstep.store;

import java.time.InstantSource;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The options with which a store is opened. Immutable; each method returns a changed copy.
public final class StoreOptions {
  private static final StoreOptions DEFAULTS = new StoreOptions(InstantSource.system(), null);
  private final InstantSource clock;
  private final @Nullable Embedder embedder;

  private StoreOptions(InstantSource clock, @Nullable Embedder embedder) {
    this.clock = clock;
    this.embedder = embedder;
  }

  /// The clock of the system, and no search by meaning.
  public static StoreOptions defaults() {
    return DEFAULTS;
  }

  /// Sets the embedder of values and of the texts searched for.
  public StoreOptions embedder(Embedder teller) {
    return new StoreOptions(clock, teller);
  }

  /// Sets the clock for the times at which items are made and expire.
  public StoreOptions clock(InstantSource source) {
    return new StoreOptions(source, embedder);
  }

  /// The clock.
  public InstantSource clock() {
    return clock;
  }

  /// The embedder, if there is one.
  public Optional<Embedder> embedder() {
    return Optional.ofNullable(embedder);
  }

  @Override
  public String toString() {
    return "StoreOptions[embedder " + embedder().map(Embedder::id).orElse("none") + "]";
  }
}
