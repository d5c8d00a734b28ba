package dev.superstep.terminal.policy;

import dev.superstep.language.VisibleText;
import dev.superstep.terminal.shell.Redirection;
import dev.superstep.terminal.shell.ShellCommand;
import dev.superstep.terminal.shell.ShellScript;
import java.util.ArrayList;
import java.util.List;

/// A command in its parts, and the reasons why no rule can allow it.
///
/// @param obstacles sentences; empty for programs with fixed words that are joined by `;`, `&&`,
///   `||` and `|`
record CommandParts(List<CommandPart> parts, List<String> obstacles) {
  static CommandParts of(ShellScript script) {
    var split = new Splitting();
    if (!script.isComplete()) split.obstacles.add("It is not understood in full.");
    if (script.source().text().codePoints().anyMatch(VisibleText::isUnseen)) {
      split.obstacles.add("It has characters that nobody sees.");
    }
    split.sequence(script.body());
    if (split.parts.isEmpty()) split.obstacles.add("It runs no program.");
    return new CommandParts(List.copyOf(split.parts), split.obstacles.stream().distinct().toList());
  }

  private static final class Splitting {
    private final List<CommandPart> parts = new ArrayList<>();
    private final List<String> obstacles = new ArrayList<>();

    void sequence(ShellCommand.Sequence sequence) {
      for (var item : sequence.items()) {
        if (item.operator() == ShellCommand.Operator.BACKGROUND) {
          obstacles.add("It goes on in the background.");
        }
        command(item.command());
      }
    }

    private void command(ShellCommand command) {
      switch (command) {
        case ShellCommand.Simple simple -> simple(simple);
        case ShellCommand.Pipeline pipeline -> pipeline.commands().forEach(this::command);
        case ShellCommand.Sequence sequence -> sequence(sequence);
        case ShellCommand.Group group -> compound(List.of(group.body()));
        case ShellCommand.If branches -> {
          var bodies = new ArrayList<ShellCommand>();
          branches.branches().forEach(b -> bodies.addAll(List.of(b.condition(), b.body())));
          if (branches.otherwise() != null) bodies.add(branches.otherwise());
          compound(bodies);
        }
        case ShellCommand.While loop -> compound(List.of(loop.condition(), loop.body()));
        case ShellCommand.For loop -> compound(List.of(loop.body()));
        case ShellCommand.ArithmeticFor loop -> compound(List.of(loop.body()));
        case ShellCommand.Case cases ->
            compound(cases.clauses().stream().map(ShellCommand.Clause::body).toList());
        case ShellCommand.Function function -> compound(List.of(function.body()));
        case ShellCommand.Coprocess process -> compound(List.of(process.body()));
        case ShellCommand.Conditional _, ShellCommand.Arithmetic _, ShellCommand.Opaque _ ->
            compound(List.of());
      }
    }

    private void compound(List<? extends ShellCommand> bodies) {
      obstacles.add("It has more than programs joined by `;`, `&&`, `||` and `|`.");
      bodies.forEach(this::command);
    }

    private void simple(ShellCommand.Simple simple) {
      if (!simple.assignments().isEmpty()) obstacles.add("It sets a variable.");
      if (!simple.redirections().stream().allMatch(Splitting::isHarmless)) {
        obstacles.add("It reads or writes a file by a redirection.");
      }
      if (simple.words().isEmpty()) return;
      var part = CommandPart.of(simple);
      if (!part.words().stream().allMatch(CommandPart.Argument::isFixed)) {
        obstacles.add("A word of it is known to the shell only.");
      }
      parts.add(part);
    }

    private static boolean isHarmless(Redirection redirection) {
      var target = redirection.target().literal().orElse("?");
      return switch (redirection.kind()) {
        case WRITE, CLOBBER, APPEND, WRITE_ALL, APPEND_ALL, READ -> target.equals("/dev/null");
        case COPY_OUTPUT, COPY_INPUT -> target.matches("[0-9]|-");
        case READ_WRITE, HERE_DOCUMENT, HERE_STRING -> false;
      };
    }
  }
}
