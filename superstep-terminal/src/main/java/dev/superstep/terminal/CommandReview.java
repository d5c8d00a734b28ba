package dev.superstep.terminal;

import dev.superstep.sandbox.Tier;
import dev.superstep.terminal.policy.Confinement;
import dev.superstep.terminal.risk.Assessment;
import dev.superstep.terminal.risk.Finding;
import dev.superstep.terminal.shell.ShellScript;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/// Decides on commands: the one point where risk and rules are consulted. It reads the parsed
/// command, never a model's text about it. Implementations are safe for many threads.
public interface CommandReview {
  /// Assesses a command and decides on it.
  Review review(ShellScript script, Circumstances circumstances);

  /// Adds a rule that allows commands, for a scope: `session`, `project` or `user`.
  ///
  /// @throws dev.superstep.json.SuperstepException if it is no rule, or may not be added there
  void allow(String rule, String scope);

  /// Where a command would run, and what came before it.
  ///
  /// @param stricter the least tier that a person wants
  /// @param followed what the model that proposed it had read and what may come from strangers, as
  ///   `output of step 3`; empty if nothing
  /// @param marks findings about the words that the model wrote around the command; they raise its
  ///   level and never lower it
  record Circumstances(
      Path workspace,
      Path directory,
      Path home,
      Optional<Tier> stricter,
      String followed,
      List<Finding> marks) {
    public Circumstances {
      marks = List.copyOf(marks);
    }

    /// Those of a command that a person typed.
    static Circumstances typed(Path workspace, Path directory, Path home) {
      return new Circumstances(workspace, directory, home, Optional.empty(), "", List.of());
    }
  }

  /// The decision.
  ///
  /// @param reasons why it is asked about or denied
  /// @param confinement how it would be confined
  /// @param phrase what must be typed to approve it, if one key is not enough
  /// @param policy the digest of the rules in force
  record Review(
      Verdict verdict,
      Assessment risk,
      List<String> reasons,
      Confinement confinement,
      Optional<String> phrase,
      String policy) {
    public Review {
      reasons = List.copyOf(reasons);
    }
  }

  /// The decisions.
  enum Verdict {
    /// A rule allows it.
    ALLOW,
    /// A person decides.
    CONFIRM,
    /// It does not run.
    DENY
  }
}
