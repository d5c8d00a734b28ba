package dev.superstep.mcp.config;

import dev.superstep.tool.SideEffect;
import dev.superstep.tool.ToolPolicy;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.TreeSet;

/// Reads and writes policies of tools as words: `read_only`, or effects such as `writes_files`, and
/// `idempotent`, `approved`, `sandboxed` and `background_safe`.
final class PolicyWords {
  private static final String READ_ONLY = "read_only";
  private static final String IDEMPOTENT = "idempotent";
  private static final String APPROVED = "approved";
  private static final String SANDBOXED = "sandboxed";
  private static final String BACKGROUND = "background_safe";

  private PolicyWords() {}

  /// All words that are known.
  static String known() {
    var all = new ArrayList<String>(List.of(READ_ONLY));
    for (var effect : SideEffect.values()) all.add(word(effect));
    all.addAll(List.of(IDEMPOTENT, APPROVED, SANDBOXED, BACKGROUND));
    return String.join(", ", all);
  }

  /// The policy; empty if a word is not known, or if they contradict each other.
  static Optional<ToolPolicy> read(List<String> words) {
    var policy = ToolPolicy.UNCLASSIFIED;
    var effects = new TreeSet<SideEffect>();
    for (var word : words) {
      var effect = effect(word);
      if (effect.isPresent()) effects.add(effect.get());
    }
    boolean isReadOnly = words.contains(READ_ONLY);
    if (isReadOnly && !effects.isEmpty()) return Optional.empty();
    if (isReadOnly) policy = ToolPolicy.readOnly();
    if (!effects.isEmpty()) {
      policy = ToolPolicy.of(effects.first(), effects.toArray(SideEffect[]::new));
    }
    for (var word : words) {
      switch (word) {
        case IDEMPOTENT -> policy = policy.idempotent();
        case APPROVED -> policy = policy.approved();
        case SANDBOXED -> policy = policy.sandboxed();
        case BACKGROUND -> policy = policy.backgroundSafe();
        default -> {
          if (!word.equals(READ_ONLY) && effect(word).isEmpty()) return Optional.empty();
        }
      }
    }
    return Optional.of(policy);
  }

  /// The words of a policy.
  static String of(ToolPolicy policy) {
    var words = new ArrayList<String>();
    if (policy.isReadOnly()) words.add(READ_ONLY);
    if (!policy.isClassified()) words.add("unclassified");
    policy.effects().stream().sorted().map(PolicyWords::word).forEach(words::add);
    // A tool that only reads has both by nature.
    if (policy.isIdempotent() && !policy.isReadOnly()) words.add(IDEMPOTENT);
    if (policy.needsApproval()) words.add(APPROVED);
    if (policy.needsSandbox()) words.add(SANDBOXED);
    if (policy.isBackgroundSafe() && !policy.isReadOnly()) words.add(BACKGROUND);
    return String.join(", ", words);
  }

  private static Optional<SideEffect> effect(String word) {
    for (var effect : SideEffect.values()) {
      if (word(effect).equals(word)) return Optional.of(effect);
    }
    return Optional.empty();
  }

  private static String word(SideEffect effect) {
    return effect.name().toLowerCase(Locale.ROOT);
  }
}
