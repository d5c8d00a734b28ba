package dev.superstep.terminal;

import dev.superstep.checkpoint.Interrupt;
import dev.superstep.run.Input;
import dev.superstep.run.ThreadState;
import dev.superstep.state.Write;
import dev.superstep.terminal.state.ConversationEvent;
import dev.superstep.terminal.state.Progress;
import dev.superstep.terminal.state.StepStatus;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Makes views of conversations from where their threads stand.
final class ConversationViews {
  private ConversationViews() {}

  /// A conversation of which nothing is stored yet.
  static ConversationView begun(@Nullable Input input) {
    if (input != null) {
      for (var write : input.writes()) {
        if (write instanceof Write.Put<?>(_, var value) && value instanceof ConversationInfo info) {
          return new ConversationView(
              info, Progress.START, List.of(), List.of(), new Waiting.Nothing());
        }
      }
    }
    throw new NotApproved("The conversation was ended before it began.");
  }

  /// @param id of the thread, which is another one in a fork
  /// @param isAtWork whether a run is at work on the thread
  static ConversationView of(String id, ThreadState thread, boolean isAtWork) {
    var state = thread.state();
    return new ConversationView(
        state.get(WorkflowState.INFO).in(id),
        progress(thread, isAtWork),
        state.get(WorkflowState.ATTEMPTS),
        state.get(WorkflowState.HISTORY),
        waiting(thread));
  }

  /// The progress as it is stored, and what the place of the thread adds to it: work is due, nobody
  /// is at it, and nothing was asked, so it was stopped or its process died; if a command was
  /// running, nobody knows how it ended.
  private static Progress progress(ThreadState thread, boolean isAtWork) {
    var stored = thread.state().get(WorkflowState.PROGRESS);
    boolean isLeft = !isAtWork && !thread.next().isEmpty() && thread.questions().isEmpty();
    if (!isLeft) return stored;
    boolean wasRunning =
        thread.next().contains(TerminalWorkflow.RUN)
            && stored.step().filter(step -> step.status() == StepStatus.RUNNING).isPresent();
    var seen =
        wasRunning
            ? stored.apply(new ConversationEvent.CommandInterrupted(stored.current()))
            : stored;
    var paused = new ConversationEvent.Paused();
    return seen.accepts(paused) ? seen.apply(paused) : seen;
  }

  private static Waiting waiting(ThreadState thread) {
    if (thread.questions().isEmpty()) return new Waiting.Nothing();
    return waiting(thread.questions().getFirst());
  }

  private static Waiting waiting(Interrupt question) {
    return switch (question.question()) {
      case "plan" -> {
        var asked = WorkflowState.PLAN.read(question);
        yield new Waiting.ForPlan(
            asked.steps(), asked.before(), ModelMarks.warnings(asked.steps()));
      }
      case "next-step" -> {
        var asked = WorkflowState.NEXT_STEP.read(question);
        yield new Waiting.ForStep(asked.step(), asked.description());
      }
      case "command" -> new Waiting.ForCommand(WorkflowState.COMMAND.read(question));
      case "clarify" -> {
        var asked = WorkflowState.CLARIFY.read(question);
        var texts = new ArrayList<>(asked.options());
        texts.add(asked.question());
        yield new Waiting.ForAnswer(
            asked.step(), asked.question(), asked.options(), ModelMarks.warnings(texts));
      }
      case "recover" -> {
        var asked = WorkflowState.RECOVER.read(question);
        yield new Waiting.ForRecovery(asked.step(), asked.attempt(), asked.choices());
      }
      case "retry" -> {
        var asked = WorkflowState.RETRY.read(question);
        yield new Waiting.ForRetry(asked.code(), asked.message());
      }
      default -> new Waiting.Nothing();
    };
  }
}
