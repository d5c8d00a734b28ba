package dev.superstep.terminal.approval;

import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;

/// The approvals that were given in this process and not yet used. Each is for one digest, for one
/// start, and for a time; none is stored, so none outlives the process. Safe for many threads.
public final class Approvals {
  /// The time in which an approval must be used, unless another is set.
  public static final Duration VALIDITY = Duration.ofMinutes(2);

  private static final int TOKEN_BYTES = 16;
  private static final int OPEN_MAX = 1_000;

  private final InstantSource clock;
  private final Duration validity;
  private final SecureRandom random = new SecureRandom();
  private final Map<String, Grant> open = new HashMap<>();

  private record Grant(String digest, Instant until) {}

  private Approvals(InstantSource clock, Duration validity) {
    this.clock = clock;
    this.validity = validity;
  }

  /// No approvals yet.
  public static Approvals of(InstantSource clock, Duration validity) {
    if (!validity.isPositive()) {
      throw new IllegalArgumentException("validity must be positive, was " + validity);
    }
    return new Approvals(clock, validity);
  }

  /// Gives an approval.
  ///
  /// @param digest of what was shown: [ApprovalDigest#hex]
  /// @return its token, which a [Decision.Approve] carries
  public synchronized String grant(String digest) {
    var now = clock.instant();
    open.values().removeIf(grant -> !now.isBefore(grant.until()));
    if (open.size() >= OPEN_MAX) open.clear();
    var token = new byte[TOKEN_BYTES];
    random.nextBytes(token);
    var name = HexFormat.of().formatHex(token);
    open.put(name, new Grant(digest, now.plus(validity)));
    return name;
  }

  /// Uses up an approval.
  ///
  /// @param shown the digest that was asked about
  /// @param now the digest of what would start
  /// @throws ApprovalStale if it was given for something else, or in an earlier process, is used or
  ///   too old; it is used up in any case
  public void redeem(String token, ApprovalDigest shown, ApprovalDigest now) {
    var grant = take(token);
    var changes = shown.changes(now);
    if (!changes.isEmpty()) throw new ApprovalStale(changes);
    if (grant == null) {
      throw new ApprovalStale(List.of("approval (used, or given in an earlier process)"));
    }
    if (!clock.instant().isBefore(grant.until())) throw new ApprovalStale(List.of("time"));
    if (!grant.digest().equals(now.hex())) throw new ApprovalStale(List.of("approved command"));
  }

  private synchronized @org.jspecify.annotations.Nullable Grant take(String token) {
    return open.remove(token);
  }

  @Override
  public String toString() {
    return "Approvals[" + open.size() + " open]";
  }
}
