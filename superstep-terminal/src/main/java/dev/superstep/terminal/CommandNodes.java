package dev.superstep.terminal;

import static dev.superstep.terminal.WorkflowState.APPROVED;
import static dev.superstep.terminal.WorkflowState.ATTEMPTS;
import static dev.superstep.terminal.WorkflowState.CANDIDATES;
import static dev.superstep.terminal.WorkflowState.PROGRESS;
import static dev.superstep.terminal.WorkflowState.REQUEST;

import dev.superstep.node.NodeContext;
import dev.superstep.node.NodeResult;
import dev.superstep.state.State;
import dev.superstep.terminal.CommandAttempt.Kind;
import dev.superstep.terminal.CommandAttempt.Verdict;
import dev.superstep.terminal.CommandResult.ExecutionError;
import dev.superstep.terminal.CommandReview.Circumstances;
import dev.superstep.terminal.CommandReview.Review;
import dev.superstep.terminal.WorkflowState.Approved;
import dev.superstep.terminal.WorkflowState.Candidates;
import dev.superstep.terminal.approval.ApprovalDigest;
import dev.superstep.terminal.approval.ApprovalRequest;
import dev.superstep.terminal.approval.ApprovalStale;
import dev.superstep.terminal.approval.Approvals;
import dev.superstep.terminal.approval.Execution;
import dev.superstep.terminal.privacy.OutputFence;
import dev.superstep.terminal.risk.Finding;
import dev.superstep.terminal.shell.ShellScript;
import dev.superstep.terminal.state.ConversationEvent;
import dev.superstep.terminal.state.StepStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

/// The nodes that decide on commands and run them. Safe for many threads.
final class CommandNodes {
  private static final String RULE = "rule";
  private static final String MODEL = "model";

  private final TerminalParts parts;
  private final Approvals approvals;
  private final WatchedCommands watched;

  CommandNodes(TerminalParts parts, Approvals approvals) {
    this.parts = parts;
    this.approvals = approvals;
    this.watched = new WatchedCommands(parts);
  }

  /// The result of the review of a command.
  ///
  /// @param grant the approval, if a rule gave one
  record Assessed(CommandReview.Verdict verdict, ApprovalRequest request, String grant) {}

  /// Reads the command, has it reviewed, and asks, runs or refuses it.
  NodeResult assess(State state, NodeContext context) throws Exception {
    var assessed = context.step("review", Assessed.class, () -> assessed(state, context));
    var request = assessed.request();
    int step = request.step();
    var move = Move.from(state, context).write(REQUEST, request);
    return switch (assessed.verdict()) {
      case CONFIRM -> move.to(TerminalWorkflow.APPROVE);
      case ALLOW ->
          move.event(new ConversationEvent.CommandApproved(step, RULE, request.digest().hex()))
              .write(APPROVED, new Approved(assessed.grant(), RULE))
              .to(TerminalWorkflow.RUN);
      case DENY -> {
        var reason = parts.redact().apply(String.join(" ", request.reasons()));
        yield move.event(new ConversationEvent.CommandRefused(step, reason))
            .write(ATTEMPTS, attempt(context, request, new Verdict(Kind.REFUSED, RULE, reason)))
            .to(TerminalWorkflow.RECOVER);
      }
    };
  }

  private Assessed assessed(State state, NodeContext context) {
    var shell = context.get(TerminalWorkflow.SHELL);
    var candidates = state.get(CANDIDATES);
    var review = review(state, shell);
    var verdict = review.verdict();
    var reasons = new ArrayList<>(review.reasons());
    var doubt = verdict == CommandReview.Verdict.ALLOW ? doubt(state, shell) : "";
    if (!doubt.isEmpty()) {
      // A rule is not enough to start it again.
      verdict = CommandReview.Verdict.CONFIRM;
      reasons.add(doubt);
    }
    if (Redactions.isMarked(candidates.shown().command())) {
      verdict = CommandReview.Verdict.DENY;
      reasons.add(Redactions.advice());
    }
    for (var source : OutputFence.sources(state.get(WorkflowState.INFO).prompt())) {
      reasons.add("The model had read " + source + ", which may come from strangers.");
    }
    var digest = ApprovalDigest.of(execution(state, context, review));
    var shown = candidates.shown();
    var others = Math.max(0, parts.limits().alternatives() - candidates.index());
    var request =
        new ApprovalRequest(
            candidates.step(),
            shown.command(),
            shown.explanation(),
            prose(state),
            review.risk().level(),
            review.risk().findings(),
            review.risk().facts(),
            reasons,
            review.confinement(),
            shell.directory().toString(),
            watched.lasting(review.risk(), shell),
            untrusted(state),
            review.phrase(),
            candidates.changed(),
            others,
            digest);
    var grant = verdict == CommandReview.Verdict.ALLOW ? approvals.grant(digest.hex()) : "";
    return new Assessed(verdict, request, grant);
  }

  private Review review(State state, SessionShell shell) {
    var candidates = state.get(CANDIDATES);
    var circumstances =
        new Circumstances(
            shell.workspace(),
            shell.directory(),
            shell.home(),
            candidates.tier(),
            followed(state),
            marks(state));
    return parts.review().review(ShellScript.parse(candidates.shown().command()), circumstances);
  }

  private static List<Finding> marks(State state) {
    var candidates = state.get(CANDIDATES);
    var step = state.get(PROGRESS).steps().get(candidates.step()).description();
    return ModelMarks.of(candidates.shown(), step, prose(state).orElse(""));
  }

  /// The explanation of the command that is shown, if a person asked for one.
  private static Optional<String> prose(State state) {
    var shown = state.get(CANDIDATES);
    return state
        .find(REQUEST)
        .filter(request -> request.step() == shown.step())
        .filter(request -> request.command().equals(shown.shown().command()))
        .flatMap(ApprovalRequest::prose);
  }

  private Execution execution(State state, NodeContext context, Review review) {
    var command = state.get(CANDIDATES).shown().command();
    var plan = Executions.plan(state.get(PROGRESS));
    var purpose = new Executions.Purpose(context.thread().orElse(""), plan);
    var shell = context.get(TerminalWorkflow.SHELL);
    return Executions.of(command, review, shell, parts.limits(), purpose);
  }

  /// The steps, from 1, whose output the model had seen.
  private static List<Integer> untrusted(State state) {
    return state.get(ATTEMPTS).stream()
        .filter(CommandAttempt::isStarted)
        .map(attempt -> attempt.step() + 1)
        .distinct()
        .toList();
  }

  private static String followed(State state) {
    var sources = new ArrayList<>(OutputFence.sources(state.get(WorkflowState.INFO).prompt()));
    var steps = untrusted(state).stream().map(String::valueOf).toList();
    if (!steps.isEmpty()) {
      sources.add("output of step" + (steps.size() == 1 ? " " : "s ") + String.join(", ", steps));
    }
    return String.join(" and ", sources);
  }

  /// Why a rule is not enough to start a command; empty if it is.
  private static String doubt(State state, SessionShell shell) {
    var candidates = state.get(CANDIDATES);
    if (wasInterrupted(state, candidates)) {
      return "It was started before, and nobody knows how that ended.";
    }
    // After a rewind, or in a fork.
    long known =
        state.get(ATTEMPTS).stream()
            .filter(CommandAttempt::isStarted)
            .filter(attempt -> attempt.command().equals(candidates.shown().command()))
            .count();
    var conversation = state.get(WorkflowState.INFO).id();
    boolean isLeft = shell.starts(conversation, candidates.shown().command()) > known;
    return isLeft ? "It was started before, in a part of the conversation that was left." : "";
  }

  private static boolean wasInterrupted(State state, Candidates candidates) {
    var command = candidates.shown().command();
    return state.get(ATTEMPTS).stream()
        .filter(attempt -> attempt.decision().kind() == Kind.INTERRUPTED)
        .anyMatch(attempt -> attempt.command().equals(command));
  }

  /// That a command is about to start, saved before it does.
  ///
  /// @param start of what part of which run it is
  /// @param changes why it does not start after all
  record Intent(String start, List<String> changes) {}

  /// The end of a command that was started; empty if its process died with ours.
  ///
  /// @param change the number of what it changed
  record Ending(Optional<CommandResult> result, Optional<Long> change) {
    static final Ending UNKNOWN = new Ending(Optional.empty(), Optional.empty());
  }

  /// Starts the command if the approval still holds, after saving that it does.
  NodeResult run(State state, NodeContext context) throws Exception {
    var request = state.get(REQUEST);
    var start = context.run() + " " + context.attempt();
    var prepared = new AtomicReference<Execution>();
    var intent =
        context.step("intent", Intent.class, () -> intent(state, context, start, prepared));
    int step = request.step();
    var move = Move.from(state, context);
    if (!intent.changes().isEmpty()) {
      var detail = String.join(", ", intent.changes());
      return move.event(new ConversationEvent.ApprovalExpired(step, intent.changes()))
          .write(CANDIDATES, state.get(CANDIDATES).noting(intent.changes()))
          .write(ATTEMPTS, attempt(context, request, new Verdict(Kind.EXPIRED, "", detail)))
          .to(TerminalWorkflow.ASSESS);
    }
    // After a rewind it starts again if it is approved again: an approval is for one start.
    var ending =
        context.step(
            "command",
            Ending.class,
            () -> {
              if (!intent.start().equals(start)) return Ending.UNKNOWN;
              var shell = context.get(TerminalWorkflow.SHELL);
              return watched.run(prepared.get(), shell, context.clock(), false);
            });
    return ended(move, context, request, ending, state.get(APPROVED).by());
  }

  private Intent intent(
      State state, NodeContext context, String start, AtomicReference<Execution> prepared) {
    var request = state.get(REQUEST);
    var shell = context.get(TerminalWorkflow.SHELL);
    var review = review(state, shell);
    var execution = execution(state, context, review);
    try {
      approvals.redeem(state.get(APPROVED).grant(), request.digest(), ApprovalDigest.of(execution));
    } catch (ApprovalStale e) {
      return new Intent(start, e.changes());
    }
    var gap = watched.newGap(request.lasting(), review.risk(), shell);
    if (!gap.isEmpty()) return new Intent(start, List.of("undo: " + gap));
    shell.starting(state.get(WorkflowState.INFO).id(), execution.script());
    prepared.set(execution);
    return new Intent(start, List.of());
  }

  private NodeResult ended(
      Move move, NodeContext context, ApprovalRequest request, Ending ending, String by) {
    int step = request.step();
    var detail = request.digest().hex();
    if (ending.result().isEmpty()) {
      return move.event(new ConversationEvent.CommandInterrupted(step))
          .write(ATTEMPTS, attempt(context, request, new Verdict(Kind.INTERRUPTED, by, detail)))
          .to(TerminalWorkflow.JUDGE);
    }
    var result = ending.result().get();
    move.event(
        result.isSuccess()
            ? new ConversationEvent.CommandSucceeded(step)
            : new ConversationEvent.CommandFailed(step, reason(result)));
    var attempt = attempt(context, request, new Verdict(Kind.APPROVED, by, detail));
    return move.write(ATTEMPTS, attempt.with(result, ending.change())).to(TerminalWorkflow.JUDGE);
  }

  private static String reason(CommandResult result) {
    var error = result.error().orElse(ExecutionError.EXECUTION_FAILED);
    return result.exit() >= 0 ? error + " (exit status " + result.exit() + ")" : error.name();
  }

  private static CommandAttempt attempt(
      NodeContext context, ApprovalRequest request, Verdict verdict) {
    return new CommandAttempt(
        context.task(),
        request.step(),
        request.command(),
        request.explanation(),
        verdict,
        Optional.empty(),
        Optional.empty(),
        context.clock().instant());
  }

  /// Goes on after a command: the step is done if the model said so beforehand, else the model is
  /// asked what comes next; a failure is for a person.
  NodeResult judge(State state, NodeContext context) {
    var progress = state.get(PROGRESS);
    int step = progress.current();
    var move = Move.from(state, context);
    var status = progress.steps().get(step).status();
    if (status != StepStatus.RUNNING) return move.to(TerminalWorkflow.RECOVER);
    if (!state.get(CANDIDATES).isLast()) return move.to(TerminalWorkflow.GENERATE);
    return move.event(new ConversationEvent.StepCompleted(step, MODEL)).toNextStep();
  }
}
