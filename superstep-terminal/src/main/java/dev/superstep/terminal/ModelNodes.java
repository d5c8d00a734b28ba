package dev.superstep.terminal;

import static dev.superstep.terminal.WorkflowState.CANDIDATES;
import static dev.superstep.terminal.WorkflowState.PROGRESS;
import static dev.superstep.terminal.WorkflowState.REQUEST;
import static dev.superstep.terminal.WorkflowState.SPENT;

import dev.superstep.node.NodeContext;
import dev.superstep.node.NodeResult;
import dev.superstep.state.State;
import dev.superstep.terminal.WorkflowState.Candidates;
import dev.superstep.terminal.WorkflowState.Failure;
import dev.superstep.terminal.WorkflowState.OpenQuestion;
import dev.superstep.terminal.internal.form.CommandForm;
import dev.superstep.terminal.internal.form.CommandForm.Candidate;
import dev.superstep.terminal.internal.form.CommandForm.Proposal;
import dev.superstep.terminal.internal.form.PlanForm;
import dev.superstep.terminal.state.ConversationEvent;
import java.time.Duration;
import java.util.List;

/// The nodes that ask a model. A failure becomes the status Error, from which a person may let it
/// try again. Safe for many threads.
final class ModelNodes {
  private static final Duration BACKOFF = Duration.ofSeconds(1);

  private final TerminalParts parts;

  ModelNodes(TerminalParts parts) {
    this.parts = parts;
  }

  /// Asks for a plan; once more if there is no answer in time.
  NodeResult plan(State state, NodeContext context) throws InterruptedException {
    var calls = new ModelCalls(parts, state, context, ModelCalls.PLAN);
    var move = Move.from(state, context);
    var messages = new Prompts(parts, state, context).forPlan();
    for (boolean isRetried = false; ; isRetried = true) {
      try {
        var steps = calls.ask(parts.models().planner(), messages, PlanForm.FORM);
        var redacted = steps.stream().map(parts.redact()).toList();
        return move.event(new ConversationEvent.Planned(redacted))
            .write(SPENT, calls.spent())
            .to(TerminalWorkflow.GATE);
      } catch (GenerationFailed e) {
        if (isRetried || e.kind() != GenerationFailed.Kind.TIMEOUT) {
          return failed(move, calls, TerminalWorkflow.PLAN, e);
        }
        move.event(new ConversationEvent.PlanningRetried(message(e)));
        context.sleep(BACKOFF);
      }
    }
  }

  /// Asks for what comes next in the step: commands, a question, or the word that it is done.
  NodeResult generate(State state, NodeContext context) throws InterruptedException {
    var calls = new ModelCalls(parts, state, context, ModelCalls.COMMAND);
    var move = Move.from(state, context);
    int step = state.get(PROGRESS).current();
    Proposal proposal;
    try {
      var messages = new Prompts(parts, state, context).forCommand(List.of());
      proposal = calls.ask(parts.models().generator(), messages, CommandForm.FORM);
    } catch (GenerationFailed e) {
      return failed(move, calls, TerminalWorkflow.GENERATE, e);
    }
    move.write(SPENT, calls.spent());
    return switch (proposal) {
      case Proposal.Commands(var commands, var isLast) ->
          move.event(suggested(step, commands.getFirst().command()))
              .write(CANDIDATES, Candidates.of(step, commands, isLast))
              .to(TerminalWorkflow.ASSESS);
      case Proposal.Done _ ->
          move.event(new ConversationEvent.StepCompleted(step, "model")).toNextStep();
      case Proposal.Question(var question, var options) -> {
        var asked = parts.redact().apply(question);
        yield move.event(new ConversationEvent.QuestionAsked(step, asked))
            .write(WorkflowState.ASKED, new OpenQuestion(step, asked, options))
            .to(TerminalWorkflow.CLARIFY);
      }
    };
  }

  private ConversationEvent suggested(int step, String command) {
    return new ConversationEvent.CommandSuggested(step, parts.redact().apply(command));
  }

  /// Asks for another command for the same, and keeps it beside the others.
  NodeResult alternative(State state, NodeContext context) throws InterruptedException {
    var calls = new ModelCalls(parts, state, context, ModelCalls.COMMAND);
    var move = Move.from(state, context);
    var candidates = state.get(CANDIDATES);
    Proposal proposal;
    try {
      var messages = new Prompts(parts, state, context).forCommand(candidates.commands());
      proposal = calls.ask(parts.models().generator(), messages, CommandForm.FORM);
    } catch (GenerationFailed e) {
      return failed(move, calls, TerminalWorkflow.ALTERNATIVE, e);
    }
    move.write(SPENT, calls.spent());
    if (!(proposal instanceof Proposal.Commands(var commands, _))) {
      return move.write(CANDIDATES, candidates.noting(List.of("the model has no alternative")))
          .to(TerminalWorkflow.ASSESS);
    }
    var more = candidates.and(commands);
    var shown = parts.redact().apply(more.shown().command());
    return move.event(new ConversationEvent.AlternativeShown(candidates.step(), shown))
        .write(CANDIDATES, more)
        .to(TerminalWorkflow.ASSESS);
  }

  /// Asks what the command does, and asks the person again with the answer. Who asks for words can
  /// do without them: if there are none, that is said, and the command waits as before.
  NodeResult explain(State state, NodeContext context) throws InterruptedException {
    var calls = new ModelCalls(parts, state, context, ModelCalls.COMMAND);
    var move = Move.from(state, context);
    var request = state.get(REQUEST);
    // Once is enough: the same command has the same explanation.
    if (request.prose().isPresent()) return move.to(TerminalWorkflow.APPROVE);
    String prose;
    try {
      var messages = new Prompts(parts, state, context).forExplanation(request.command());
      prose = calls.ask(parts.models().generator(), messages, CommandForm.EXPLANATION);
    } catch (GenerationFailed e) {
      return move.write(SPENT, calls.spent())
          .write(REQUEST, request.noting("The model gave no explanation: " + message(e)))
          .to(TerminalWorkflow.APPROVE);
    }
    var explained = request.explained(parts.redact().apply(prose));
    var words = new Candidate("", explained.prose().orElse(""));
    boolean isMarked = !ModelMarks.of(words, "", "").isEmpty();
    return move.event(new ConversationEvent.CommandExplained(request.step()))
        .write(SPENT, calls.spent())
        .write(REQUEST, explained)
        // Words that may lead astray make the command high, so it is assessed again.
        .to(isMarked ? TerminalWorkflow.ASSESS : TerminalWorkflow.APPROVE);
  }

  private NodeResult failed(Move move, ModelCalls calls, String node, GenerationFailed e) {
    return move.event(new ConversationEvent.Failed(e.code(), message(e)))
        .write(SPENT, calls.spent())
        .write(WorkflowState.FAILURE, new Failure(node, e.code(), message(e)))
        .to(TerminalWorkflow.ERROR);
  }

  private String message(GenerationFailed e) {
    return parts.redact().apply(String.valueOf(e.getMessage()));
  }
}
