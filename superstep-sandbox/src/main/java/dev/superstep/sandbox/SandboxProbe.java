package dev.superstep.sandbox;

import java.util.List;

/// Findings about what this machine can hold, tier by tier, by trying it. Immutable.
///
/// @param system the system, its version and processor
/// @param tiers one report for each tier, from the least strict on
public record SandboxProbe(String system, List<TierReport> tiers) {
  public SandboxProbe {
    tiers = List.copyOf(tiers);
  }

  /// Findings about one tier.
  ///
  /// @param isAvailable whether commands can run in it
  /// @param facts what it is made of here, such as versions
  /// @param held what was tried and refused
  /// @param gaps what it does not hold here; empty for nothing beyond what the tier never holds
  /// @param missing the reasons why it is not available; empty if it is
  public record TierReport(
      Tier tier,
      boolean isAvailable,
      List<String> facts,
      List<String> held,
      List<String> gaps,
      List<String> missing) {
    public TierReport {
      facts = List.copyOf(facts);
      held = List.copyOf(held);
      gaps = List.copyOf(gaps);
      missing = List.copyOf(missing);
    }
  }

  /// The report about a tier.
  public TierReport of(Tier tier) {
    return tiers.get(tier.ordinal());
  }

  /// Returns whether commands can run in a tier.
  public boolean isAvailable(Tier tier) {
    return of(tier).isAvailable();
  }

  /// All of it, for people to read.
  public String text() {
    var text = new StringBuilder("system: " + system + "\n");
    for (var one : tiers) {
      text.append(one.tier()).append(one.isAvailable() ? ": available\n" : ": not available\n");
      one.missing().forEach(line -> text.append("  missing: ").append(line).append('\n'));
      one.facts().forEach(line -> text.append("  with: ").append(line).append('\n'));
      one.held().forEach(line -> text.append("  holds: ").append(line).append('\n'));
      one.gaps().forEach(line -> text.append("  does not hold: ").append(line).append('\n'));
    }
    return text.toString();
  }
}
