package dev.superstep.cli.conversation;

import dev.superstep.cli.host.ExitCodes;
import dev.superstep.cli.host.Host;
import dev.superstep.cli.host.SafeText;
import dev.superstep.cli.host.UsageError;
import dev.superstep.cli.screen.Column;
import dev.superstep.cli.screen.Table;
import dev.superstep.sandbox.Sandbox;
import dev.superstep.terminal.policy.CommandRules;
import dev.superstep.terminal.policy.ProjectRules;
import dev.superstep.terminal.policy.Scope;
import dev.superstep.terminal.risk.RiskContext;
import java.nio.file.Files;
import java.util.List;
import java.util.Optional;

/// The work of `superstep policy`.
public final class PolicyWhy {
  private PolicyWhy() {}

  /// Explains what would be done about a command, here and now.
  ///
  /// @param policy a file of rules beside the usual ones
  /// @return the exit code
  public static int why(Host host, String command, Optional<String> policy, boolean json) {
    var files = TerminalFiles.of(host);
    var more = policy.map(host::path).map(List::of).orElse(List.of());
    var review = new FileRules(files, more, Sandbox.open().machine(), host.clock());
    var home = host.path(host.variable("HOME").orElse("/"));
    var why = review.why(command, RiskContext.of(files.workspace(), files.workspace(), home));
    var out = host.terminal().out();
    if (json) out.println(why.json().text());
    else out.print(why.text());
    if (review.project() instanceof ProjectRules.Untrusted(var file, _)) {
      host.terminal()
          .err()
          .println(
              "superstep: the rules of this folder do not count, since you do not trust "
                  + SafeText.line(file.toString()));
    }
    return ExitCodes.COMPLETED;
  }

  /// Checks a file of rules with its examples.
  ///
  /// @return the exit code
  public static int test(Host host, String name) {
    var file = host.path(name);
    if (!Files.isRegularFile(file)) {
      throw new UsageError("policy.missing", "There is no file " + file + ".");
    }
    var check = CommandRules.check(file, Scope.USER);
    var out = host.terminal().out();
    var table = Table.of(Column.whole("PLACE"), Column.wrap("PROBLEM", 20));
    for (var problem : check.problems()) {
      table.row("%s:%d:%d".formatted(name, problem.line(), problem.column()), problem.message());
    }
    table.print(host.terminal());
    out.println(
        "%d rules, %d examples, %d problems"
            .formatted(check.rules(), check.examples(), check.problems().size()));
    return check.problems().isEmpty() ? ExitCodes.COMPLETED : ExitCodes.USAGE;
  }
}
