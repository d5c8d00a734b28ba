package dev.superstep.cli.conversation;

import dev.superstep.sandbox.SandboxProbe;
import dev.superstep.sandbox.Tier;
import dev.superstep.terminal.CommandReview;
import dev.superstep.terminal.PolicyReview;
import dev.superstep.terminal.policy.CommandRules;
import dev.superstep.terminal.policy.DecisionContext;
import dev.superstep.terminal.policy.PolicyExplanation;
import dev.superstep.terminal.policy.ProjectRules;
import dev.superstep.terminal.policy.RuleProposal;
import dev.superstep.terminal.policy.RuleText;
import dev.superstep.terminal.policy.Scope;
import dev.superstep.terminal.policy.TrustStore;
import dev.superstep.terminal.risk.RiskAssessor;
import dev.superstep.terminal.risk.RiskContext;
import dev.superstep.terminal.risk.RiskLevel;
import dev.superstep.terminal.shell.ShellScript;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// The rules of user and folder as their files have them at each decision, and what this machine
/// holds. Safe for many threads.
final class FileRules implements CommandReview {
  private final TerminalFiles files;
  private final List<Path> more;
  private final Set<Tier> tiers;
  private final InstantSource clock;
  private final PolicyReview review;
  private volatile @Nullable RiskLevel maxRisk;
  private volatile boolean alwaysAsks;
  private volatile String followed = "";

  /// @param more files of rules beside those of user and folder
  /// @param probe what this machine holds
  FileRules(TerminalFiles files, List<Path> more, SandboxProbe probe, InstantSource clock) {
    this.files = files;
    this.more = List.copyOf(more);
    this.tiers =
        Arrays.stream(Tier.values())
            .filter(probe::isAvailable)
            .collect(Collectors.toCollection(() -> EnumSet.noneOf(Tier.class)));
    this.clock = clock;
    this.review = PolicyReview.of(this::rules, this::context, this::save);
  }

  /// Runs commands of at most this danger without a question.
  void maxRisk(RiskLevel level) {
    maxRisk = level;
  }

  /// Asks about everything, whatever rules allow.
  void alwaysAsk() {
    alwaysAsks = true;
  }

  /// From now on a model has read text that may come from strangers.
  ///
  /// @param what such as `standard input`; empty if it has not
  void followsUntrusted(String what) {
    followed = what;
  }

  /// The text that [#followsUntrusted] was told; empty if none.
  String followed() {
    return followed;
  }

  @Override
  public Review review(ShellScript script, Circumstances at) {
    var reviewed = review.review(script, at);
    if (!alwaysAsks || reviewed.verdict() != Verdict.ALLOW) return reviewed;
    return new Review(
        Verdict.CONFIRM,
        reviewed.risk(),
        reviewed.reasons(),
        reviewed.confinement(),
        reviewed.phrase(),
        reviewed.policy());
  }

  @Override
  public void allow(String rule, String scope) {
    review.allow(rule, scope);
  }

  /// The next stricter tier that this machine has.
  Optional<Tier> stricterThan(Tier tier) {
    return tiers.stream().filter(other -> other.compareTo(tier) > 0).min(Tier::compareTo);
  }

  /// Tells why a command would be allowed, asked about or denied.
  PolicyExplanation why(String command, RiskContext context) {
    var script = ShellScript.parse(command);
    var risk = RiskAssessor.standard().assess(script, context);
    return rules().why(script, risk, context());
  }

  /// A rule that would allow a command from now on.
  ///
  /// @param history earlier commands
  static RuleProposal propose(String command, RiskContext context, List<String> history) {
    var script = ShellScript.parse(command);
    var risk = RiskAssessor.standard().assess(script, context);
    return RuleProposal.of(script, risk, Scope.USER, history);
  }

  /// The rules of the folder, which count only if the user trusts them.
  ProjectRules project() {
    return ProjectRules.load(files.projectRules(), TrustStore.at(files.trusted()));
  }

  private CommandRules rules() {
    var rules = CommandRules.none();
    if (Files.exists(files.userRules())) {
      rules = CommandRules.load(files.userRules(), Scope.USER);
    }
    for (var file : more) rules = rules.and(CommandRules.load(file, Scope.USER));
    return project().counting().map(rules::and).orElse(rules);
  }

  private DecisionContext context() {
    var context = DecisionContext.of(tiers, clock.instant());
    var level = maxRisk;
    if (level != null) context = context.maxRisk(level);
    return followed.isEmpty() ? context : context.followsUntrusted(followed);
  }

  private void save(String rule, Scope scope) {
    var _ = RuleText.add(files.userRules(), scope, rule);
  }
}
