package dev.superstep.credential;

import dev.superstep.lock.Mutex;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/// Gives credentials again until shortly before they end, and looks each up once at a time: those
/// who wait for a look-up share its answer and its failure. Safe for many threads.
final class CachedCredentials implements CredentialProvider {
  private static final Duration MARGIN = Duration.ofSeconds(60);
  // A credential without a known end may be taken back.
  private static final Duration LONGEST = Duration.ofMinutes(10);
  private static final int MOST = 10_000;

  private final CredentialProvider provider;
  private final InstantSource clock;
  private final ConcurrentHashMap<CredentialRequest, Place> places = new ConcurrentHashMap<>();

  CachedCredentials(CredentialProvider provider, InstantSource clock) {
    this.provider = provider;
    this.clock = clock;
  }

  /// The place of a credential.
  private static final class Place {
    private final Mutex lock = new Mutex();
    private volatile @Nullable Kept kept;
    // The look-up that is under way. Changed under the lock.
    private @Nullable CompletableFuture<CredentialAnswer> lookup;
  }

  private record Kept(Credential credential, Instant until) {}

  @Override
  public CredentialAnswer credential(CredentialRequest request) throws InterruptedException {
    if (places.size() >= MOST) dropEnded();
    var place = places.computeIfAbsent(request, _ -> new Place());
    while (true) {
      var known = valid(place);
      if (known != null) return new CredentialAnswer.Granted(known);
      var mine = new CompletableFuture<CredentialAnswer>();
      var lookup = joined(place, mine);
      if (lookup.equals(mine)) return lookedUp(request, place, mine);
      var answer = shared(lookup);
      if (answer.isPresent()) return answer.get();
    }
  }

  /// The look-up that is under way, or else this one from now on.
  private static CompletableFuture<CredentialAnswer> joined(
      Place place, CompletableFuture<CredentialAnswer> mine) throws InterruptedException {
    try (var _ = place.lock.holdInterruptibly()) {
      if (place.lookup == null) place.lookup = mine;
      return place.lookup;
    }
  }

  private CredentialAnswer lookedUp(
      CredentialRequest request, Place place, CompletableFuture<CredentialAnswer> mine)
      throws InterruptedException {
    try {
      // Somebody may have ended a look-up since this one looked.
      var known = valid(place);
      var answer =
          known == null ? provider.credential(request) : new CredentialAnswer.Granted(known);
      if (known == null && answer instanceof CredentialAnswer.Granted(var credential)) {
        place.kept = new Kept(credential, clock.instant().plus(LONGEST));
      }
      mine.complete(answer);
      return answer;
    } catch (Throwable e) {
      mine.completeExceptionally(e);
      throw e;
    } finally {
      try (var _ = place.lock.hold()) {
        place.lookup = null;
      }
    }
  }

  /// The answer of another's look-up, also if that is a failure; empty if only the other gave up.
  private static Optional<CredentialAnswer> shared(CompletableFuture<CredentialAnswer> lookup)
      throws InterruptedException {
    try {
      return Optional.of(lookup.get());
    } catch (ExecutionException e) {
      return switch (e.getCause()) {
        case InterruptedException _ -> Optional.empty();
        case CredentialFailed failed -> throw new CredentialFailed(failed);
        case RuntimeException failed -> throw failed;
        case Error failed -> throw failed;
        case null, default -> throw new IllegalStateException("the look-up failed", e.getCause());
      };
    }
  }

  private @Nullable Credential valid(Place place) {
    var kept = place.kept;
    if (kept == null) return null;
    var now = clock.instant();
    return kept.credential().lasts(now, MARGIN) && now.isBefore(kept.until())
        ? kept.credential()
        : null;
  }

  private void dropEnded() {
    places.values().removeIf(place -> valid(place) == null);
    // All are in use: those who need one again look it up again.
    if (places.size() >= MOST) places.clear();
  }

  @Override
  public void reject(CredentialRequest request, Credential rejected) {
    var place = places.get(request);
    if (place != null) {
      var kept = place.kept;
      // Another call may have a newer one by now.
      if (kept != null && kept.credential().secret().equals(rejected.secret())) place.kept = null;
    }
    provider.reject(request, rejected);
  }

  @Override
  public CredentialProvider cached() {
    return this;
  }

  @Override
  public String toString() {
    return "CachedCredentials[" + provider + "]";
  }
}
