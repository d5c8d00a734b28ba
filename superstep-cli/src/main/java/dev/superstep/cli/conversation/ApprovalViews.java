package dev.superstep.cli.conversation;

import dev.superstep.cli.screen.ApprovalView;
import dev.superstep.cli.screen.ApprovalView.Quote;
import dev.superstep.cli.screen.Style;
import dev.superstep.sandbox.Tier;
import dev.superstep.terminal.CommandAttempt;
import dev.superstep.terminal.ConversationView;
import dev.superstep.terminal.approval.ApprovalRequest;
import dev.superstep.terminal.policy.Confinement;
import dev.superstep.terminal.policy.RuleProposal;
import dev.superstep.terminal.risk.Fact;
import dev.superstep.terminal.risk.Finding;
import dev.superstep.terminal.risk.RiskContext;
import dev.superstep.terminal.risk.RiskLevel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// Makes what a person sees of a command that waits.
final class ApprovalViews {
  static final char SESSION = 's';
  static final char USER = 'u';

  private final FileRules review;
  private final TerminalFiles files;
  private final Path home;

  ApprovalViews(FileRules review, TerminalFiles files, Path home) {
    this.review = review;
    this.files = files;
    this.home = home;
  }

  /// @param typed commands that a person typed in this session
  ApprovalView of(ConversationView view, ApprovalRequest request, List<String> typed) {
    long before =
        view.attempts().stream().filter(attempt -> attempt.step() == request.step()).count();
    var context = context(request);
    var head =
        new ApprovalView.Head(
            step(view, request),
            (int) before + 1,
            word(request.level()),
            tier(request.confinement()));
    return new ApprovalView(
        request.command(),
        head,
        warnings(request),
        request.findings().stream().map(finding -> quote(request, finding)).toList(),
        request.facts().stream().map(ApprovalViews::quote).toList(),
        new ApprovalView.Prose(
            request.prose().orElse(request.explanation()), request.prose().isPresent()),
        new ApprovalView.Offers(
            request.phrase().orElse(""),
            request.alternatives() > 0,
            review.stricterThan(request.confinement().tier()).map(ApprovalViews::number).orElse(""),
            always(view, request, context, typed)));
  }

  private static ApprovalView.Step step(ConversationView view, ApprovalRequest request) {
    var steps = view.progress().steps();
    var place = "Step %d of %d".formatted(request.step() + 1, steps.size());
    return new ApprovalView.Step(place, steps.get(request.step()).description());
  }

  /// Where the command runs, if that is not where a person would expect it.
  private Optional<String> place(ApprovalRequest request) {
    var directory = Path.of(request.directory());
    if (directory.equals(files.workspace())) return Optional.empty();
    return Optional.of(
        directory.startsWith(files.workspace())
            ? "It runs in " + files.workspace().relativize(directory) + "."
            : "It runs in " + directory + ", outside of the workspace.");
  }

  private RiskContext context(ApprovalRequest request) {
    return RiskContext.of(files.workspace(), Path.of(request.directory()), home);
  }

  private List<String> warnings(ApprovalRequest request) {
    var warnings = new ArrayList<String>();
    place(request).ifPresent(warnings::add);
    for (var effect : request.lasting()) warnings.add("No undo takes this back: " + effect + ".");
    request.provenance().ifPresent(text -> warnings.add("The model " + text + "."));
    if (!review.followed().isEmpty()) {
      warnings.add("The model has read " + review.followed() + ".");
    }
    if (!request.changed().isEmpty()) {
      warnings.add("Changed since it was approved: " + String.join(", ", request.changed()) + ".");
    }
    var said = request.findings().stream().map(Finding::reason).toList();
    request.reasons().stream().filter(reason -> !said.contains(reason)).forEach(warnings::add);
    return warnings;
  }

  private static Quote quote(ApprovalRequest request, Finding finding) {
    var style = finding.level().isAtLeast(RiskLevel.HIGH) ? Style.DANGER : Style.WARNING;
    int end = Math.min(finding.span().end(), request.command().length());
    var part = request.command().substring(Math.min(finding.span().start(), end), end);
    var text =
        "%s (%s): %s".formatted(word(finding.level()), finding.axis().label(), finding.reason());
    return new Quote(text, part.equals(request.command()) ? "" : part, style);
  }

  private static Quote quote(Fact fact) {
    return new Quote(fact.kind().label(), fact.value(), Style.PLAIN);
  }

  private ApprovalView.Always always(
      ConversationView view, ApprovalRequest request, RiskContext context, List<String> typed) {
    var history = new ArrayList<>(typed);
    view.attempts().stream().map(CommandAttempt::command).forEach(history::add);
    return switch (FileRules.propose(request.command(), context, history)) {
      case RuleProposal.NotOffered(var reason) -> ApprovalView.Always.none(reason);
      case RuleProposal.Offered(_, var toml, var also) ->
          new ApprovalView.Always(
              toml.strip(),
              "",
              also,
              List.of(
                  new ApprovalView.Scope(SESSION, "this session"),
                  new ApprovalView.Scope(USER, "always, for me")));
    };
  }

  static String word(RiskLevel level) {
    return level.name().toLowerCase(Locale.ROOT);
  }

  static String number(Tier tier) {
    return switch (tier) {
      case PROCESS -> "T0";
      case LANDLOCK -> "T1";
      case BUBBLEWRAP -> "T2";
    };
  }

  /// The number of a tier, and what it means.
  private static String tier(Confinement at) {
    var writes = at.isReadOnly() ? "writes nothing" : "writes only the workspace";
    return number(at.tier())
        + switch (at.tier()) {
          case PROCESS -> " (no sandbox: it can do what you can do)";
          case LANDLOCK -> " (Landlock: " + writes + ", no network)";
          case BUBBLEWRAP -> " (bubblewrap: " + writes + ", sees little else, no network)";
        };
  }
}
