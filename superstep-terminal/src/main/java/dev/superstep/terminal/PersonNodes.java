package dev.superstep.terminal;

import static dev.superstep.terminal.WorkflowState.ATTEMPTS;
import static dev.superstep.terminal.WorkflowState.CANDIDATES;
import static dev.superstep.terminal.WorkflowState.HISTORY;
import static dev.superstep.terminal.WorkflowState.NOTES;
import static dev.superstep.terminal.WorkflowState.PROGRESS;
import static dev.superstep.terminal.WorkflowState.REQUEST;

import dev.superstep.node.NodeContext;
import dev.superstep.node.NodeResult;
import dev.superstep.state.State;
import dev.superstep.terminal.CommandAttempt.Kind;
import dev.superstep.terminal.CommandAttempt.Verdict;
import dev.superstep.terminal.WorkflowState.Note;
import dev.superstep.terminal.approval.ApprovalRequest;
import dev.superstep.terminal.approval.Decision;
import dev.superstep.terminal.state.ConversationEvent;
import dev.superstep.terminal.state.StepStatus;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// The nodes that ask a person: each has one question. Safe for many threads.
final class PersonNodes {
  private static final String PERSON = "person";

  private final TerminalParts parts;

  PersonNodes(TerminalParts parts) {
    this.parts = parts;
  }

  /// Shows the plan, until it is accepted.
  NodeResult gate(State state, NodeContext context) {
    var progress = state.get(PROGRESS);
    var steps = progress.steps().stream().map(step -> step.description()).toList();
    var asked = new WorkflowState.PlanQuestion(steps, stepsBefore(state));
    var move = Move.from(state, context);
    return switch (context.interrupt(WorkflowState.PLAN, asked)) {
      case PlanDecision.Accept _ ->
          move.event(new ConversationEvent.PlanAccepted())
              .event(new ConversationEvent.StepStarted(0))
              .to(TerminalWorkflow.GENERATE);
      case PlanDecision.Edit(var edited) -> {
        var kept = edited.stream().map(String::strip).filter(step -> !step.isEmpty()).toList();
        // A plan without steps is no plan: it is shown again as it was.
        yield kept.isEmpty()
            ? move.to(TerminalWorkflow.GATE)
            : move.event(new ConversationEvent.PlanEdited(kept)).to(TerminalWorkflow.GATE);
      }
      case PlanDecision.Replan(var reason) ->
          move.event(new ConversationEvent.PlanRejected(parts.redact().apply(reason)))
              .write(NOTES, new Note(-1, "plan rejected", parts.redact().apply(reason)))
              .to(TerminalWorkflow.PLAN);
      case PlanDecision.Abort _ -> move.abort();
    };
  }

  /// The plan before the one that stands, if a model made another one.
  private static List<String> stepsBefore(State state) {
    var plans = new ArrayList<List<String>>();
    for (var event : state.get(HISTORY)) {
      switch (event) {
        case ConversationEvent.Planned(var steps) -> plans.add(steps);
        case ConversationEvent.PlanEdited(var steps) -> plans.set(plans.size() - 1, steps);
        default -> {}
      }
    }
    return plans.size() < 2 ? List.of() : plans.get(plans.size() - 2);
  }

  /// Waits before the next step, unless steps begin by themselves.
  NodeResult proceed(State state, NodeContext context) {
    var progress = state.get(PROGRESS);
    int step = progress.current();
    var move = Move.from(state, context);
    var asked = new WorkflowState.StepQuestion(step, progress.steps().get(step).description());
    var answer =
        parts.limits().isAutomatic()
            ? Recovery.CONTINUE
            : context.interrupt(WorkflowState.NEXT_STEP, asked);
    return switch (answer) {
      case ABORT -> move.abort();
      case SKIP -> move.event(new ConversationEvent.StepSkipped(step)).toNextStep();
      case CONTINUE, RETRY, RERUN, MARK_DONE ->
          move.event(new ConversationEvent.StepStarted(step)).to(TerminalWorkflow.GENERATE);
    };
  }

  /// Passes the model's question on.
  NodeResult clarify(State state, NodeContext context) {
    var asked = state.get(WorkflowState.ASKED);
    var answer = parts.redact().apply(context.interrupt(WorkflowState.CLARIFY, asked));
    var said = asked.question() + " -> " + answer;
    return Move.from(state, context)
        .event(new ConversationEvent.QuestionAnswered(asked.step(), answer))
        .write(NOTES, new Note(asked.step(), "answer", said))
        .to(TerminalWorkflow.GENERATE);
  }

  /// Asks about a command.
  NodeResult approve(State state, NodeContext context) {
    var request = state.get(REQUEST);
    var decision = context.interrupt(WorkflowState.COMMAND, request);
    var move = Move.from(state, context);
    int step = request.step();
    return switch (decision) {
      case Decision.Approve(var grant) ->
          move.event(new ConversationEvent.CommandApproved(step, PERSON, request.digest().hex()))
              .write(WorkflowState.APPROVED, new WorkflowState.Approved(grant, PERSON))
              .to(TerminalWorkflow.RUN);
      case Decision.Edit(var text) -> edited(state, move, request, text);
      case Decision.Alternative _ -> alternative(state, move, request);
      case Decision.Explain _ -> move.to(TerminalWorkflow.EXPLAIN);
      case Decision.Stricter(var tier) ->
          move.event(new ConversationEvent.CommandEdited(step, request.command()))
              .write(CANDIDATES, state.get(CANDIDATES).in(tier))
              .to(TerminalWorkflow.ASSESS);
      case Decision.AlwaysAllow(var rule, var scope) -> {
        parts.review().allow(rule, scope);
        yield move.event(new ConversationEvent.CommandEdited(step, request.command()))
            .to(TerminalWorkflow.ASSESS);
      }
      case Decision.Skip _ ->
          move.event(new ConversationEvent.StepSkipped(step))
              .write(ATTEMPTS, attempt(context, request, Kind.SKIPPED, ""))
              .toNextStep();
      case Decision.Deny(var said) -> {
        var reason = parts.redact().apply(said);
        yield move.event(new ConversationEvent.CommandDenied(step, reason))
            .write(ATTEMPTS, attempt(context, request, Kind.DENIED, reason))
            .to(TerminalWorkflow.GENERATE);
      }
      case Decision.Abort _ ->
          move.write(ATTEMPTS, attempt(context, request, Kind.ABORTED, "")).abort();
    };
  }

  private NodeResult edited(State state, Move move, ApprovalRequest request, String text) {
    return move.event(
            new ConversationEvent.CommandEdited(request.step(), parts.redact().apply(text)))
        .write(ATTEMPTS, attempt(move.context(), request, Kind.EDITED, parts.redact().apply(text)))
        .write(CANDIDATES, state.get(CANDIDATES).edited(text))
        .to(TerminalWorkflow.ASSESS);
  }

  private NodeResult alternative(State state, Move move, ApprovalRequest request) {
    var candidates = state.get(CANDIDATES);
    int next = candidates.index() + 1;
    if (next > parts.limits().alternatives()) {
      return move.write(CANDIDATES, candidates.noting(List.of("no further alternative")))
          .to(TerminalWorkflow.ASSESS);
    }
    move.write(ATTEMPTS, attempt(move.context(), request, Kind.REPLACED, "alternative"));
    if (next >= candidates.commands().size()) return move.to(TerminalWorkflow.ALTERNATIVE);
    var shown = candidates.showing(next);
    return move.event(
            new ConversationEvent.AlternativeShown(request.step(), shown.shown().command()))
        .write(CANDIDATES, shown)
        .to(TerminalWorkflow.ASSESS);
  }

  private CommandAttempt attempt(
      NodeContext context, ApprovalRequest request, Kind kind, String detail) {
    return new CommandAttempt(
        context.task(),
        request.step(),
        request.command(),
        request.explanation(),
        new Verdict(kind, PERSON, detail),
        Optional.empty(),
        Optional.empty(),
        context.clock().instant());
  }

  /// Asks what to do about a command that failed, was refused or was interrupted.
  NodeResult recover(State state, NodeContext context) {
    var progress = state.get(PROGRESS);
    int step = progress.current();
    var status = progress.steps().get(step).status();
    var attempts = state.get(ATTEMPTS);
    var last =
        attempts.isEmpty() ? Optional.<CommandAttempt>empty() : Optional.of(attempts.getLast());
    var choices = choices(status, last);
    var asked = new WorkflowState.RecoveryQuestion(step, last, choices);
    var answer = context.interrupt(WorkflowState.RECOVER, asked);
    var move = Move.from(state, context);
    // An answer that was not offered is none.
    if (!choices.contains(answer)) return move.to(TerminalWorkflow.RECOVER);
    return switch (answer) {
      case RETRY -> {
        if (status == StepStatus.FAILED) move.event(new ConversationEvent.RetryChosen(step));
        yield move.to(TerminalWorkflow.GENERATE);
      }
      case RERUN -> {
        var again = state.get(CANDIDATES).shown().command();
        yield move.event(new ConversationEvent.CommandSuggested(step, again))
            .to(TerminalWorkflow.ASSESS);
      }
      case MARK_DONE -> move.event(new ConversationEvent.StepCompleted(step, PERSON)).toNextStep();
      case SKIP -> move.event(new ConversationEvent.StepSkipped(step)).toNextStep();
      case ABORT -> move.abort();
      case CONTINUE -> move.to(TerminalWorkflow.RECOVER);
    };
  }

  private static Set<Recovery> choices(StepStatus status, Optional<CommandAttempt> last) {
    var choices = EnumSet.of(Recovery.RETRY, Recovery.SKIP, Recovery.ABORT);
    boolean wasStarted = last.map(CommandAttempt::isStarted).orElse(false);
    if (wasStarted) choices.add(Recovery.MARK_DONE);
    if (status == StepStatus.INTERRUPTED) choices.add(Recovery.RERUN);
    return choices;
  }

  /// Asks whether a model is tried again.
  NodeResult error(State state, NodeContext context) {
    var failure = state.get(WorkflowState.FAILURE);
    var move = Move.from(state, context);
    var answer = context.interrupt(WorkflowState.RETRY, failure);
    return switch (answer) {
      case ABORT -> move.abort();
      case RETRY, CONTINUE, RERUN, MARK_DONE, SKIP ->
          move.event(new ConversationEvent.Retried()).to(failure.node());
    };
  }
}
