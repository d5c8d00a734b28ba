package dev.superstep.terminal;

import dev.superstep.sandbox.Tier;
import dev.superstep.terminal.approval.ApprovalDigest;
import dev.superstep.terminal.policy.ApprovalInput;
import dev.superstep.terminal.policy.CommandDecision;
import dev.superstep.terminal.policy.CommandRules;
import dev.superstep.terminal.policy.Confinement;
import dev.superstep.terminal.policy.DecisionContext;
import dev.superstep.terminal.policy.Scope;
import dev.superstep.terminal.risk.Assessment;
import dev.superstep.terminal.risk.RiskAssessor;
import dev.superstep.terminal.risk.RiskContext;
import dev.superstep.terminal.shell.ShellScript;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Supplier;

/// Reviews commands by their risk and by the rules that are in force at that moment. Safe for many
/// threads.
public final class PolicyReview implements CommandReview {
  private final Supplier<CommandRules> rules;
  private final Supplier<DecisionContext> context;
  private final BiConsumer<String, Scope> saved;
  private volatile CommandRules ofSession = CommandRules.none();

  private PolicyReview(
      Supplier<CommandRules> rules,
      Supplier<DecisionContext> context,
      BiConsumer<String, Scope> saved) {
    this.rules = rules;
    this.context = context;
    this.saved = saved;
  }

  /// A review by rules.
  ///
  /// @param rules gives those that hold now; asked for each command, so that a change of a file
  ///   counts at once
  /// @param context of a decision now: the tiers of this machine, the time, who can be asked
  /// @param saved keeps a rule that a person adds for longer than the session
  public static PolicyReview of(
      Supplier<CommandRules> rules,
      Supplier<DecisionContext> context,
      BiConsumer<String, Scope> saved) {
    return new PolicyReview(rules, context, saved);
  }

  @Override
  public Review review(ShellScript script, Circumstances at) {
    var where = RiskContext.of(at.workspace(), at.directory(), at.home());
    var risk = RiskAssessor.standard().assess(script, where).with(at.marks());
    var now = rules.get().and(ofSession);
    var by = context.get();
    if (!at.followed().isEmpty()) by = by.followsUntrusted(at.followed());
    var policy = ApprovalDigest.sha256(now.rules().toString());
    return review(now.decide(script, risk, by), risk, at, policy);
  }

  private static Review review(
      CommandDecision decision, Assessment risk, Circumstances at, String policy) {
    return switch (decision) {
      case CommandDecision.Allow allow ->
          new Review(
              Verdict.ALLOW,
              risk,
              allow.reasons(),
              stricter(allow.confinement(), at.stricter()),
              Optional.empty(),
              policy);
      case CommandDecision.Confirm confirm ->
          new Review(
              Verdict.CONFIRM,
              risk,
              confirm.reasons(),
              stricter(confirm.confinement(), at.stricter()),
              phrase(confirm.approval()),
              policy);
      case CommandDecision.Deny deny ->
          new Review(
              Verdict.DENY,
              risk,
              deny.reasons(),
              new Confinement(Tier.BUBBLEWRAP, true, true),
              Optional.empty(),
              policy);
    };
  }

  private static Optional<String> phrase(ApprovalInput approval) {
    return switch (approval) {
      case ApprovalInput.Key _ -> Optional.empty();
      case ApprovalInput.Typed(var phrase) -> Optional.of(phrase);
    };
  }

  private static Confinement stricter(Confinement decided, Optional<Tier> wanted) {
    var tier = wanted.filter(one -> one.compareTo(decided.tier()) > 0).orElse(decided.tier());
    return new Confinement(tier, decided.isReadOnly(), decided.refusesMetadata());
  }

  @Override
  public synchronized void allow(String rule, String scope) {
    var of = Scope.valueOf(scope.toUpperCase(java.util.Locale.ROOT));
    // Checked before it is kept: a rule that cannot be read changes nothing.
    var read = CommandRules.parse(rule, "the rule that was added", of);
    if (of == Scope.SESSION) {
      ofSession = ofSession.and(CommandRules.of(List.copyOf(read.rules())));
    } else {
      saved.accept(rule, of);
    }
  }
}
