package dev.superstep.terminal.policy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/// The rules that a folder brings along. They count only while a person trusts exactly this text,
/// and then they only tighten. Immutable.
public sealed interface ProjectRules {
  /// There is no such file.
  record None() implements ProjectRules {}

  /// A person trusts it.
  record Trusted(CommandRules rules) implements ProjectRules {}

  /// Nobody has trusted this text yet; nothing of it counts, and nothing of it was parsed.
  ///
  /// @param digest to be given to [TrustStore#trust] once a person agrees
  record Untrusted(Path file, String digest) implements ProjectRules {}

  /// Reads the rules of a folder.
  ///
  /// @throws InvalidRules if a person trusts a text that is wrong
  static ProjectRules load(Path file, TrustStore trust) {
    if (!Files.isRegularFile(file)) return new None();
    var text = trust.trusted(file);
    if (text.isEmpty()) return new Untrusted(file, trust.digest(file));
    return new Trusted(CommandRules.parse(text.get(), file.toString(), Scope.PROJECT));
  }

  /// The rules that count.
  default Optional<CommandRules> counting() {
    return switch (this) {
      case Trusted(var rules) -> Optional.of(rules);
      case None _, Untrusted _ -> Optional.empty();
    };
  }
}
