package dev.superstep.terminal.risk;

import dev.superstep.terminal.shell.ShellCommand;
import dev.superstep.terminal.shell.ShellCommand.Operator;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/// Finds fork bombs and loops without an end by the shape of the tree. One thread at a time.
final class LoopRules {
  private static final Pattern OWN_SCRIPT = Pattern.compile("\"?\\$\\{?0}?\"?");

  private final Report report;

  LoopRules(Report report) {
    this.report = report;
  }

  void check(ShellCommand.While loop) {
    var items = loop.condition().items();
    boolean isEndless = items.size() == 1 && isConstant(items.getFirst().command());
    if (isEndless) endless(loop, loop.body());
  }

  private static boolean isConstant(ShellCommand command) {
    if (command instanceof ShellCommand.Arithmetic arithmetic) return arithmetic.parts().isEmpty();
    if (!(command instanceof ShellCommand.Simple simple) || simple.words().isEmpty()) return false;
    var words = simple.words().stream().map(word -> word.literal().orElse("")).toList();
    return List.of("true", ":", "false", "/bin/true").contains(words.getFirst())
        || words.equals(List.of("[", "1", "]"))
        || words.equals(List.of("test", "1"));
  }

  void check(ShellCommand.ArithmeticFor loop) {
    if (loop.span().length() > 0 && loop.parts().isEmpty() && hasBackground(loop.body())) {
      endless(loop, loop.body());
    }
  }

  private void endless(ShellCommand loop, ShellCommand.Sequence body) {
    if (hasBackground(body)) {
      report.high(
          RiskAxis.SYSTEM, "endless-processes", loop.span(), "Starts processes without an end.");
    } else if (!contains(body, LoopRules::leaves)) {
      report.medium(RiskAxis.SYSTEM, "endless-loop", loop.span(), "Runs without an end.");
    }
  }

  private static boolean leaves(ShellCommand command) {
    return command instanceof ShellCommand.Simple simple
        && !simple.words().isEmpty()
        && List.of("break", "exit", "return", "read").contains(simple.words().getFirst().raw());
  }

  private static boolean hasBackground(ShellCommand.Sequence body) {
    return body.items().stream().anyMatch(item -> item.operator() == Operator.BACKGROUND);
  }

  /// A function that runs itself in a pipeline or in the background doubles with each round.
  void check(ShellCommand.Function function) {
    boolean runsItself = contains(function.body(), command -> isCall(command, function.name()));
    if (!runsItself) return;
    boolean isDoubled = contains(function.body(), command -> doubles(command, function.name()));
    if (isDoubled) {
      report.high(
          RiskAxis.SYSTEM,
          "fork-bomb",
          function.span(),
          "A function that starts itself twice or in the background fills the machine.");
    } else {
      report.medium(
          RiskAxis.SYSTEM, "recursive-function", function.span(), "A function calls itself.");
    }
  }

  private static boolean doubles(ShellCommand command, String name) {
    if (command instanceof ShellCommand.Pipeline pipeline) {
      return pipeline.commands().size() > 1
          && pipeline.commands().stream().anyMatch(each -> contains(each, c -> isCall(c, name)));
    }
    return command instanceof ShellCommand.Sequence sequence
        && sequence.items().stream()
            .anyMatch(item ->
                item.operator() == Operator.BACKGROUND
                    && contains(item.command(), c -> isCall(c, name)));
  }

  private static boolean isCall(ShellCommand command, String name) {
    return command instanceof ShellCommand.Simple simple
        && !simple.words().isEmpty()
        && simple.words().getFirst().raw().equals(name);
  }

  /// A script that starts itself in a pipeline or in the background, as in `$0 & $0`.
  void check(ShellCommand.Sequence sequence) {
    for (var item : sequence.items()) {
      boolean isDoubled =
          item.operator() == Operator.BACKGROUND || item.command() instanceof ShellCommand.Pipeline;
      if (isDoubled && contains(item.command(), LoopRules::isOwnScript)) {
        report.high(
            RiskAxis.SYSTEM,
            "fork-bomb",
            item.command().span(),
            "A script that starts itself twice fills the machine.");
      }
    }
  }

  private static boolean isOwnScript(ShellCommand command) {
    if (!(command instanceof ShellCommand.Simple simple)) return false;
    return simple.words().stream()
        .limit(2)
        .anyMatch(word -> word.raw().length() < 8 && OWN_SCRIPT.matcher(word.raw()).matches());
  }

  /// `> file` without a command empties the file.
  void bareRedirection(ShellCommand.Simple simple) {
    for (var redirection : simple.redirections()) {
      if (redirection.isTruncating()) {
        report.medium(RiskAxis.OVERWRITES, "empties-file", redirection.span(), "Empties a file.");
      }
    }
  }

  /// Looks at a command and at those inside it, without expansions and functions.
  private static boolean contains(ShellCommand command, Predicate<ShellCommand> test) {
    if (test.test(command)) return true;
    return switch (command) {
      case ShellCommand.Sequence(var items, var _) ->
          items.stream().anyMatch(item -> contains(item.command(), test));
      case ShellCommand.Pipeline(var commands, var _, var _) ->
          commands.stream().anyMatch(each -> contains(each, test));
      case ShellCommand.Group group -> contains(group.body(), test);
      case ShellCommand.If choice -> {
        var otherwise = choice.otherwise();
        yield choice.branches().stream()
                .anyMatch(b -> contains(b.condition(), test) || contains(b.body(), test))
            || (otherwise != null && contains(otherwise, test));
      }
      case ShellCommand.While loop ->
          contains(loop.condition(), test) || contains(loop.body(), test);
      case ShellCommand.For loop -> contains(loop.body(), test);
      case ShellCommand.ArithmeticFor loop -> contains(loop.body(), test);
      case ShellCommand.Case choice ->
          choice.clauses().stream().anyMatch(clause -> contains(clause.body(), test));
      case ShellCommand.Coprocess coprocess -> contains(coprocess.body(), test);
      case ShellCommand.Function function -> contains(function.body(), test);
      case ShellCommand.Simple _,
          ShellCommand.Conditional _,
          ShellCommand.Arithmetic _,
          ShellCommand.Opaque _ ->
          false;
    };
  }
}
