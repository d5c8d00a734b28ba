package dev.superstep.cli.conversation;

import dev.superstep.sandbox.SandboxProbe;
import dev.superstep.sandbox.Tier;
import dev.superstep.terminal.CommandReview;
import dev.superstep.terminal.approval.ApprovalDigest;
import dev.superstep.terminal.policy.Approval;
import dev.superstep.terminal.policy.CommandDecision;
import dev.superstep.terminal.policy.CommandRules;
import dev.superstep.terminal.policy.Confinement;
import dev.superstep.terminal.policy.DecisionContext;
import dev.superstep.terminal.policy.PolicyExplanation;
import dev.superstep.terminal.policy.ProjectRules;
import dev.superstep.terminal.policy.RuleProposal;
import dev.superstep.terminal.policy.RuleText;
import dev.superstep.terminal.policy.Scope;
import dev.superstep.terminal.policy.TrustStore;
import dev.superstep.terminal.risk.Assessment;
import dev.superstep.terminal.risk.RiskAssessor;
import dev.superstep.terminal.risk.RiskContext;
import dev.superstep.terminal.risk.RiskLevel;
import dev.superstep.terminal.shell.ShellScript;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Decides on commands by their danger, the rules of user, folder and session, and what this machine
/// holds. Rules are read anew for each decision, so that a changed file ends earlier approvals. Safe
/// for many threads.
public final class PolicyReview implements CommandReview {
  private static final String UNTRUSTED = "output of commands";
  private static final String READ_ONLY = " read-only";
  private static final String NO_METADATA = " no-metadata";

  private final TerminalFiles files;
  private final List<Path> more;
  private final Set<Tier> tiers;
  private final InstantSource clock;
  private @Nullable RiskLevel maxRisk;
  private boolean alwaysAsks;
  private String untrusted = "";
  private CommandRules session = CommandRules.none();
  private String sessionText = "";

  /// @param more files of rules beside those of user and folder
  /// @param tiers those that this machine holds
  public PolicyReview(
      TerminalFiles files, List<Path> more, Set<Tier> tiers, InstantSource clock) {
    this.files = files;
    this.more = List.copyOf(more);
    this.tiers = Set.copyOf(tiers);
    this.clock = clock;
  }

  /// The tiers that a machine holds.
  public static Set<Tier> tiers(SandboxProbe probe) {
    return Arrays.stream(Tier.values())
        .filter(probe::isAvailable)
        .collect(Collectors.toCollection(() -> EnumSet.noneOf(Tier.class)));
  }

  /// Runs commands of at most this danger without a question.
  public synchronized PolicyReview maxRisk(RiskLevel level) {
    maxRisk = level;
    return this;
  }

  /// Asks about everything, whatever rules allow.
  synchronized PolicyReview alwaysAsking() {
    alwaysAsks = true;
    return this;
  }

  /// From now on a model has read text that may come from strangers.
  ///
  /// @param what such as `standard input`
  synchronized void followsUntrusted(String what) {
    untrusted = what;
  }

  @Override
  public synchronized Review review(ShellScript script, Circumstances circumstances) {
    var context =
        RiskContext.of(
            circumstances.workspace(), circumstances.directory(), circumstances.home());
    var risk = RiskAssessor.standard().assess(script, context);
    var decision = rules().decide(script, risk, context(circumstances.followsUntrusted()));
    return switch (decision) {
      case CommandDecision.Allow allow ->
          review(
              alwaysAsks ? Verdict.CONFIRM : Verdict.ALLOW,
              risk,
              decision,
              stricter(allow.confinement(), circumstances),
              new Approval.Key());
      case CommandDecision.Confirm confirm ->
          review(
              Verdict.CONFIRM,
              risk,
              decision,
              stricter(confirm.confinement(), circumstances),
              confirm.approval());
      case CommandDecision.Deny _ ->
          review(
              Verdict.DENY,
              risk,
              decision,
              new Confinement(strictest(), false, false),
              new Approval.Key());
    };
  }

  private Review review(
      Verdict verdict,
      Assessment risk,
      CommandDecision decision,
      Confinement at,
      Approval approval) {
    var phrase =
        switch (approval) {
          case Approval.Key _ -> Optional.<String>empty();
          case Approval.Typed(var typed) -> Optional.of(typed);
        };
    var policy = digest() + (at.isReadOnly() ? READ_ONLY : "");
    if (at.refusesMetadata()) policy += NO_METADATA;
    return new Review(verdict, risk, decision.reasons(), at.tier(), phrase, policy);
  }

  /// Returns whether a command may not write in the workspace, by the policy of its execution.
  static boolean isReadOnly(String policy) {
    return policy.contains(READ_ONLY);
  }

  /// Returns whether changes of modes and owners are refused, by the policy of its execution.
  static boolean refusesMetadata(String policy) {
    return policy.contains(NO_METADATA);
  }

  private Confinement stricter(Confinement at, Circumstances circumstances) {
    var wanted = circumstances.stricter().filter(tier -> tier.compareTo(at.tier()) > 0);
    if (wanted.isEmpty() || !tiers.contains(wanted.get())) return at;
    return new Confinement(wanted.get(), at.isReadOnly(), false);
  }

  private Tier strictest() {
    return tiers.stream().max(Tier::compareTo).orElse(Tier.PROCESS);
  }

  /// The next stricter tier that this machine has.
  Optional<Tier> stricterThan(Tier tier) {
    return tiers.stream().filter(other -> other.compareTo(tier) > 0).min(Tier::compareTo);
  }

  private DecisionContext context(boolean followsUntrusted) {
    var context = DecisionContext.of(tiers, clock.instant());
    if (maxRisk != null) context = context.maxRisk(maxRisk);
    if (!untrusted.isEmpty()) return context.followsUntrusted(untrusted);
    return followsUntrusted ? context.followsUntrusted(UNTRUSTED) : context;
  }

  /// Tells why a command would be allowed, asked about or denied.
  public synchronized PolicyExplanation why(String command, RiskContext context) {
    var script = ShellScript.parse(command);
    var risk = RiskAssessor.standard().assess(script, context);
    return rules().why(script, risk, context(false));
  }

  /// A rule that would allow a command from now on.
  ///
  /// @param history earlier commands
  RuleProposal propose(String command, RiskContext context, List<String> history) {
    var script = ShellScript.parse(command);
    var risk = RiskAssessor.standard().assess(script, context);
    return RuleProposal.of(script, risk, Scope.USER, history);
  }

  @Override
  public synchronized void allow(String rule, String scope) {
    switch (Scope.valueOf(scope.toUpperCase(Locale.ROOT))) {
      case SESSION -> {
        session = session.and(CommandRules.parse(rule, "session", Scope.SESSION));
        sessionText += rule;
      }
      case USER -> {
        var _ = RuleText.add(files.userRules(), Scope.USER, rule);
      }
      case MANAGED, PROJECT ->
          throw new IllegalArgumentException("a rule that allows is for `session` or `user`");
    }
  }

  private CommandRules rules() {
    var rules = session;
    if (Files.exists(files.userRules())) {
      rules = rules.and(CommandRules.load(files.userRules(), Scope.USER));
    }
    for (var file : more) rules = rules.and(CommandRules.load(file, Scope.USER));
    return project().counting().map(rules::and).orElse(rules);
  }

  /// The rules of the folder, which count only if the user trusts them.
  ProjectRules project() {
    return ProjectRules.load(files.projectRules(), TrustStore.at(files.trusted()));
  }

  private String digest() {
    var text = new StringBuilder(sessionText);
    text.append(content(files.userRules()));
    for (var file : more) text.append(content(file));
    if (project().counting().isPresent()) text.append(content(files.projectRules()));
    return ApprovalDigest.sha256(text.toString());
  }

  private static String content(Path file) {
    if (!Files.exists(file)) return "\0";
    try {
      return new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1) + "\0";
    } catch (IOException e) {
      throw new UncheckedIOException("rules cannot be read: " + file, e);
    }
  }
}
