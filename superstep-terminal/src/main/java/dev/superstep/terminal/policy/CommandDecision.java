package dev.superstep.terminal.policy;

import java.util.List;

/// The decision about a command. Immutable.
public sealed interface CommandDecision {
  /// The rules that concern it, the deciding ones first.
  List<CommandRule> rules();

  /// Sentences for a person, the deciding ones first.
  List<String> reasons();

  /// It runs without a question.
  record Allow(Confinement confinement, List<CommandRule> rules, List<String> reasons)
      implements CommandDecision {
    public Allow {
      rules = List.copyOf(rules);
      reasons = List.copyOf(reasons);
    }
  }

  /// A person is asked.
  record Confirm(
      ApprovalInput approval,
      Confinement confinement,
      List<CommandRule> rules,
      List<String> reasons)
      implements CommandDecision {
    public Confirm {
      rules = List.copyOf(rules);
      reasons = List.copyOf(reasons);
    }
  }

  /// It does not run.
  record Deny(Cause cause, List<CommandRule> rules, List<String> reasons)
      implements CommandDecision {
    public Deny {
      rules = List.copyOf(rules);
      reasons = List.copyOf(reasons);
    }
  }

  /// Why a command does not run.
  enum Cause {
    /// A rule says so.
    RULE,
    /// It wipes the system or a home directory.
    FORBIDDEN,
    /// It would have to be typed in full to be approved, and cannot be typed.
    NOT_TYPABLE,
    /// A person would have to be asked, and nobody is there.
    NOBODY_TO_ASK
  }

  /// The word of the kind: `allow`, `confirm` or `deny`.
  default String word() {
    return switch (this) {
      case Allow _ -> "allow";
      case Confirm _ -> "confirm";
      case Deny _ -> "deny";
    };
  }
}
