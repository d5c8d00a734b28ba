package dev.superstep.terminal.policy;

import dev.superstep.sandbox.Tier;
import dev.superstep.terminal.risk.RiskLevel;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// What a decision depends on beside the command. Immutable; the methods return changed copies.
public final class DecisionContext {
  private final Set<Tier> tiers;
  private final Instant now;
  private final Function<String, Optional<Path>> programs;
  private final @Nullable RiskLevel maxRisk;
  private final String followed;
  private final boolean canAsk;

  private DecisionContext(
      Set<Tier> tiers, Instant now, Function<String, Optional<Path>> programs, Asking asking) {
    this.tiers = Set.copyOf(tiers);
    this.now = now;
    this.programs = programs;
    this.maxRisk = asking.maxRisk();
    this.followed = asking.followed();
    this.canAsk = asking.canAsk();
  }

  private record Asking(@Nullable RiskLevel maxRisk, String followed, boolean canAsk) {}

  /// Somebody can be asked, nothing runs unasked but by rules, and no text of strangers is known to
  /// the model.
  ///
  /// @param tiers those that this machine holds
  public static DecisionContext of(Set<Tier> tiers, Instant now) {
    return new DecisionContext(tiers, now, _ -> Optional.empty(), new Asking(null, "", true));
  }

  /// Tells where programs are found by their names, for rules that name places.
  public DecisionContext programs(Function<String, Optional<Path>> found) {
    return new DecisionContext(tiers, now, found, new Asking(maxRisk, followed, canAsk));
  }

  /// Runs commands of at most this danger without a question.
  ///
  /// @param level low or medium
  public DecisionContext maxRisk(RiskLevel level) {
    if (level.isAtLeast(RiskLevel.HIGH)) {
      throw new IllegalArgumentException("maxRisk must be low or medium, was " + level);
    }
    return new DecisionContext(tiers, now, programs, new Asking(level, followed, canAsk));
  }

  /// The model has read text that may come from strangers, so that only what reads runs unasked.
  ///
  /// @param what such as `output of step 3`
  public DecisionContext followsUntrusted(String what) {
    return new DecisionContext(tiers, now, programs, new Asking(maxRisk, what, canAsk));
  }

  /// Nobody can be asked.
  public DecisionContext withoutPerson() {
    return new DecisionContext(tiers, now, programs, new Asking(maxRisk, followed, false));
  }

  boolean holds(Tier tier) {
    return tiers.contains(tier);
  }

  Instant now() {
    return now;
  }

  Function<String, Optional<Path>> programs() {
    return programs;
  }

  boolean runsUnasked(RiskLevel level) {
    return maxRisk != null && maxRisk.isAtLeast(level);
  }

  String followed() {
    return followed;
  }

  boolean canAsk() {
    return canAsk;
  }
}
