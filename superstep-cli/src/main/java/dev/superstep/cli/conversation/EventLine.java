package dev.superstep.cli.conversation;

import dev.superstep.terminal.state.ConversationEvent;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// An event of a conversation for programs. Fields are only added; `v` grows if the meaning of one
/// changes.
///
/// @param v the version of these lines
/// @param type always `event`
/// @param kind such as `command-suggested`
/// @param step from 1
/// @param text a command, a reason, a question or an answer
record EventLine(
    int v,
    String type,
    String conversation,
    String kind,
    Optional<Integer> step,
    Optional<String> text,
    List<String> steps) {
  static final int VERSION = 1;

  static EventLine of(String conversation, ConversationEvent event) {
    var step =
        event instanceof ConversationEvent.OfStep of
            ? Optional.of(of.step() + 1)
            : Optional.<Integer>empty();
    return new EventLine(
        VERSION, "event", conversation, kind(event), step, text(event), steps(event));
  }

  private static String kind(ConversationEvent event) {
    return event.kind().name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  private static List<String> steps(ConversationEvent event) {
    return switch (event) {
      case ConversationEvent.Planned(var steps) -> steps;
      case ConversationEvent.PlanEdited(var steps) -> steps;
      case ConversationEvent _ -> List.of();
    };
  }

  private static Optional<String> text(ConversationEvent event) {
    return switch (event) {
      case ConversationEvent.PlanningRetried(var reason) -> Optional.of(reason);
      case ConversationEvent.PlanRejected(var reason) -> Optional.of(reason);
      case ConversationEvent.CommandSuggested(_, var command) -> Optional.of(command);
      case ConversationEvent.AlternativeShown(_, var command) -> Optional.of(command);
      case ConversationEvent.CommandEdited(_, var command) -> Optional.of(command);
      case ConversationEvent.CommandDenied(_, var reason) -> Optional.of(reason);
      case ConversationEvent.CommandRefused(_, var reason) -> Optional.of(reason);
      case ConversationEvent.CommandApproved(_, var by, _) -> Optional.of(by);
      case ConversationEvent.ApprovalExpired(_, var changes) ->
          Optional.of(String.join(", ", changes));
      case ConversationEvent.CommandFailed(_, var error) -> Optional.of(error);
      case ConversationEvent.QuestionAsked(_, var question) -> Optional.of(question);
      case ConversationEvent.QuestionAnswered(_, var answer) -> Optional.of(answer);
      case ConversationEvent.StepCompleted(_, var by) -> Optional.of(by);
      case ConversationEvent.Failed(var code, var message) -> Optional.of(code + ": " + message);
      case ConversationEvent.Planned _,
          ConversationEvent.PlanEdited _,
          ConversationEvent.PlanAccepted _,
          ConversationEvent.StepStarted _,
          ConversationEvent.CommandExplained _,
          ConversationEvent.CommandSucceeded _,
          ConversationEvent.CommandInterrupted _,
          ConversationEvent.RetryChosen _,
          ConversationEvent.StepSkipped _,
          ConversationEvent.Finished _,
          ConversationEvent.Retried _,
          ConversationEvent.Paused _,
          ConversationEvent.Resumed _,
          ConversationEvent.Aborted _ ->
          Optional.empty();
    };
  }

  /// A command that waits, or would.
  record CommandLine(
      int v,
      String type,
      String conversation,
      int step,
      String command,
      String danger,
      String tier,
      List<String> reasons) {}

  /// The end of a command.
  record OutcomeLine(
      int v,
      String type,
      String conversation,
      int step,
      String command,
      int exit,
      String stdout,
      String stderr,
      boolean cut) {}

  /// The last line.
  ///
  /// @param waitsFor `plan`, `step`, `command`, `answer`, `recovery`, `retry` or `nothing`
  /// @param resume the command that goes on, if something can
  record ResultLine(
      int v,
      String type,
      String conversation,
      String name,
      String status,
      String line,
      int exit,
      String waitsFor,
      Optional<String> resume) {}
}
