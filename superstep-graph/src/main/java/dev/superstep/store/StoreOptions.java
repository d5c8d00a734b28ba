package dev.superstep.store;

import java.time.InstantSource;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// How a store is opened. Immutable; each method returns a changed copy.
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

  /// What tells the meaning of what is put and of what is searched for.
  public StoreOptions embedder(Embedder teller) {
    return new StoreOptions(clock, teller);
  }

  /// What tells when items were made and when they expire.
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
}
