package dev.superstep.terminal;

import dev.superstep.terminal.FormProblem.Code;
import dev.superstep.terminal.WorkflowState.Candidate;
import dev.superstep.terminal.shell.ShellScript;
import java.util.List;
import java.util.Optional;

/// The forms of a reply to a request for a command:
/// `{"commands":[{"command":"...","explanation":"..."}],"done":false}` proposes,
/// `{"commands":[],"done":true}` says that the step is done, and
/// `{"question":"...","options":["..."]}` asks back.
final class CommandForm {
  static final ReplyForm<Proposal> FORM =
      ReplyForm.of("commands", CommandReply.class, CommandForm::checked);

  /// The explanation of a command: `{"explanation":"..."}`.
  static final ReplyForm<String> EXPLANATION =
      ReplyForm.of("explanation", Explanation.class, (reply, _) -> reply.explanation().strip());

  private static final int COMMANDS_MAX = 8;
  private static final int OPTIONS_MAX = 12;
  private static final int COMMAND_MAX = 8 * 1024;

  private CommandForm() {}

  /// What a model proposes.
  sealed interface Proposal {
    /// Commands, the best first.
    ///
    /// @param isLast whether the step is done when one of them succeeds
    record Commands(List<Candidate> commands, boolean isLast) implements Proposal {}

    /// The step is done.
    record Done() implements Proposal {}

    /// A question.
    record Question(String question, List<String> options) implements Proposal {}
  }

  /// The fields of the reply.
  record CommandReply(
      Optional<List<CommandItem>> commands,
      Optional<Boolean> done,
      Optional<String> question,
      Optional<List<String>> options) {}

  /// The fields of a command.
  record CommandItem(String command, String explanation) {}

  /// The fields of an explanation.
  record Explanation(String explanation) {}

  private static Proposal checked(CommandReply reply, List<FormProblem> problems) {
    var commands = reply.commands().orElse(List.of());
    var options = reply.options().orElse(List.of());
    if (commands.size() > COMMANDS_MAX || options.size() > OPTIONS_MAX) {
      problems.add(
          new FormProblem(
              Code.TOO_MANY,
              "Give at most %d commands and %d options.".formatted(COMMANDS_MAX, OPTIONS_MAX)));
    }
    if (reply.question().isPresent()) {
      if (!commands.isEmpty() || reply.done().orElse(false)) {
        problems.add(
            new FormProblem(
                Code.QUESTION_AND_COMMANDS, "Either ask a question or give commands, not both."));
      }
      if (reply.question().get().isBlank()) {
        problems.add(new FormProblem(Code.NOTHING_PROPOSED, "The question is empty."));
      }
      return new Proposal.Question(reply.question().get().strip(), options);
    }
    if (commands.isEmpty()) {
      if (!reply.done().orElse(false)) {
        problems.add(
            new FormProblem(
                Code.NOTHING_PROPOSED,
                "Give a command, or `\"done\": true` if the step needs none, or a question."));
      }
      return new Proposal.Done();
    }
    for (int i = 0; i < commands.size(); i++) check(i + 1, commands.get(i).command(), problems);
    var candidates =
        commands.stream()
            .map(item -> new Candidate(item.command().strip(), item.explanation().strip()))
            .toList();
    return new Proposal.Commands(candidates, reply.done().orElse(false));
  }

  private static void check(int number, String command, List<FormProblem> problems) {
    if (command.isBlank() || command.length() > COMMAND_MAX) {
      problems.add(
          new FormProblem(
              Code.COMMAND_LENGTH,
              "Command %d must have 1 to %d characters.".formatted(number, COMMAND_MAX)));
    } else if (hasLooseLineBreak(command.strip())) {
      problems.add(
          new FormProblem(
              Code.LINE_BREAK,
              "Command %d has a line break that ends one command and begins another. Give one command, joined by `&&` or `|` if need be."
                  .formatted(number)));
    }
  }

  /// Returns whether a line break parts two commands that are each complete; one inside quotes, in
  /// a here-document or after a pipe does not.
  static boolean hasLooseLineBreak(String command) {
    for (int at = command.indexOf('\n'); at >= 0; at = command.indexOf('\n', at + 1)) {
      var before = command.substring(0, at);
      if (isContinued(before)) continue;
      boolean isWhole = ShellScript.parse(before).isComplete();
      if (isWhole && !command.substring(at).isBlank()) return true;
    }
    return false;
  }

  private static boolean isContinued(String line) {
    int slashes = 0;
    while (slashes < line.length() && line.charAt(line.length() - 1 - slashes) == '\\') slashes++;
    return slashes % 2 == 1;
  }
}
