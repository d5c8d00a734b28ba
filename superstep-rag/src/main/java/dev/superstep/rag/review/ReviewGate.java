package dev.superstep.rag.review;

import dev.superstep.json.MalformedJson;
import dev.superstep.language.blueprint.Blueprint;
import dev.superstep.language.check.CheckPolicy;
import dev.superstep.rag.error.ReviewRequired;
import dev.superstep.store.Namespace;
import dev.superstep.store.Store;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/// The gate before texts that models wrote: they are registered and run only with an approval. It
/// is bound to what was approved, to who approved it and to a time, is signed by the host, and is
/// kept in a store of the host. A text cannot bring its own, one for another text does not count,
/// and neither does one that was put into the store without the key.
///
/// ```java
/// var gate = new ReviewGate(store, ReviewKey.open(folder.resolve("review.key")), clock);
/// gate.keep(gate.sign(hash, "ann@example.com", Duration.ofDays(30)));
/// ```
///
/// Safe for many threads and processes.
public final class ReviewGate {
  private static final Namespace APPROVALS = Namespace.of("superstep", "rag", "approvals");
  private static final Namespace REVOKED = Namespace.of("superstep", "rag", "revoked");

  private final Store store;
  private final ReviewKey key;
  private final InstantSource clock;

  public ReviewGate(Store store, ReviewKey key, InstantSource clock) {
    this.store = store;
    this.key = key;
    this.clock = clock;
  }

  /// The identity of the graphs of one text together: for a single graph its own hash. Graphs that
  /// were approved apart are not approved together.
  public static String hash(List<Blueprint> graphs) {
    if (graphs.size() == 1) return graphs.getFirst().hash();
    var all =
        graphs.stream()
            .sorted(Comparator.comparing(Blueprint::graph))
            .map(Blueprint::hash)
            .collect(Collectors.joining("\n"));
    try {
      var digest = MessageDigest.getInstance("SHA-256");
      return HexFormat.of().formatHex(digest.digest(all.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java runtime has SHA-256", e);
    }
  }

  /// Signs an approval, for the host that knows who its user is. It counts once it is kept, by
  /// [#keep] or as the answer to a [Proposal].
  ///
  /// @param hash of what the person has seen
  /// @param time in which it may be registered and run
  public SignedApproval sign(String hash, String approver, Duration time) {
    if (approver.isBlank()) throw new IllegalArgumentException("approver must not be blank");
    if (!time.isPositive())
      throw new IllegalArgumentException("time must be positive, was " + time);
    var given = clock.instant();
    var expires = given.plus(time);
    return new SignedApproval(
        hash, approver, given, expires, key.sign(parts(hash, approver, given, expires)));
  }

  private static String[] parts(String hash, String approver, Instant given, Instant expires) {
    return new String[] {"rag-approval", hash, approver, given.toString(), expires.toString()};
  }

  /// Returns why an approval does not count for a text; empty if it does.
  public Optional<String> refusal(SignedApproval approval, String hash) {
    var parts = parts(approval.hash(), approval.approver(), approval.given(), approval.expires());
    if (!key.isSignature(approval.signature(), parts)) {
      return Optional.of("the approval is not signed by this host");
    }
    if (!approval.hash().equals(hash)) return Optional.of("the approval is for another text");
    if (!clock.instant().isBefore(approval.expires())) {
      return Optional.of("the approval expired at " + approval.expires());
    }
    var revoked = store.get(REVOKED, hash).map(item -> item.as(Instant.class));
    return revoked.filter(at -> !approval.given().isAfter(at)).isPresent()
        ? Optional.of("the approval was revoked")
        : Optional.empty();
  }

  /// Keeps an approval. Keeping it twice changes nothing.
  ///
  /// @throws ReviewRequired if it does not count
  public void keep(SignedApproval approval) {
    var refusal = refusal(approval, approval.hash());
    if (refusal.isPresent()) throw new ReviewRequired(approval.hash(), refusal.get());
    if (approval(approval.hash()).filter(approval::equals).isPresent()) return;
    store.put(APPROVALS, approval.hash(), approval);
  }

  /// The approval of a text, if there is one that counts now.
  public Optional<SignedApproval> approval(String hash) {
    try {
      return store
          .get(APPROVALS, hash, SignedApproval.class)
          .filter(approval -> refusal(approval, hash).isEmpty());
    } catch (MalformedJson _) {
      return Optional.empty();
    }
  }

  /// The approval of a text.
  ///
  /// @throws ReviewRequired if there is none that counts now
  public SignedApproval require(String hash) {
    return approval(hash)
        .orElseThrow(() -> new ReviewRequired(hash, "nobody has approved it, or not for today"));
  }

  /// Takes back what was approved so far; a later approval of the same text counts again.
  public void revoke(String hash) {
    store.put(REVOKED, hash, clock.instant());
  }

  /// The rules for a source with these graphs: they are approved if the gate has an approval of all
  /// of them together.
  public CheckPolicy policy(CheckPolicy rules, List<Blueprint> graphs) {
    return approval(hash(graphs)).isEmpty()
        ? rules
        : rules.approving(graphs.stream().map(Blueprint::hash).collect(Collectors.toSet()));
  }

  @Override
  public String toString() {
    return "ReviewGate[" + store + "]";
  }
}
