package dev.superstep.credential;

import dev.superstep.lock.Mutex;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// Gives credentials again until shortly before they end, and looks each up once at a time. Safe
/// for many threads.
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

  /// The place of a credential; its lock is held while one is looked up.
  private static final class Place {
    private final Mutex lookup = new Mutex();
    private volatile @Nullable Kept kept;
  }

  private record Kept(Credential credential, Instant until) {}

  @Override
  public CredentialAnswer credential(CredentialRequest request) throws InterruptedException {
    if (places.size() >= MOST) dropEnded();
    var place = places.computeIfAbsent(request, _ -> new Place());
    var known = valid(place);
    if (known != null) return new CredentialAnswer.Granted(known);
    try (var _ = place.lookup.holdInterruptibly()) {
      known = valid(place);
      if (known != null) return new CredentialAnswer.Granted(known);
      var answer = provider.credential(request);
      if (answer instanceof CredentialAnswer.Granted(var credential)) {
        place.kept = new Kept(credential, clock.instant().plus(LONGEST));
      }
      return answer;
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
