package dev.superstep.cli.repl;

import dev.superstep.repl.agent.TypedSession;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/// The answers to commands that tell something, made from what is really there. One thread at a
/// time.
final class SessionHelp {
  private static final String COMMANDS =
      """
      Commands (`:help` and so on where a variable has the name of one):
        help                 this
        show vars            the variables, with their types and sizes
        show granted         what cells may call (also `show graphs`)
        load PATH.ragsh      runs a file as one cell
        load context PATH    makes a file the text `context`
        budget               what is left of the limits
        status               the thread, and what it has spent
        quit                 leaves; also Ctrl-D
      """;

  private static final String LANGUAGE =
      """
      A cell is Python's surface without imports, classes and files; an empty line ends a block.
      Assigning, reading and calling is done in cells: x = 1, x, tool("name", key=value).
      Always there: print(...), answer(value), show_vars(), budget(), and the modules re, json,
      math and text. `context` is the text of `load context`.
      """;

  private final TypedSession session;
  private final SessionGrants grants;
  private final SessionSpending spending;

  SessionHelp(TypedSession session, SessionGrants grants, SessionSpending spending) {
    this.session = session;
    this.grants = grants;
    this.spending = spending;
  }

  /// Commands, functions and limits.
  String all() {
    var functions =
        session.functions().stream()
            .map(signature -> "  " + signature + "\n")
            .collect(Collectors.joining());
    var policy = grants.policy();
    return COMMANDS
        + "\n"
        + LANGUAGE
        + "\nFunctions that call something:\n"
        + functions
        + "\nLimits of a cell: %,d operations, %d s, %,d MiB of variables, %,d KiB of source.\n"
            .formatted(
                policy.operations(),
                policy.cellTime().toSeconds(),
                policy.memoryBytes() >> 20,
                policy.scriptBytes() >> 10)
        + "Limits of the session: see `budget`.\n";
  }

  /// The variables, a line for each.
  String variables() {
    var all = session.variables();
    if (all.isEmpty()) return "There are no variables.";
    return all.stream().map(SessionOutput::variable).sorted().collect(Collectors.joining("\n"));
  }

  /// The things that cells may call.
  String granted() {
    var names = grants.names();
    if (names.isEmpty()) return "Nothing is granted. Name a file with --allow.";
    return names.entrySet().stream()
        .map(entry -> entry.getKey() + ": " + String.join(", ", entry.getValue()))
        .collect(Collectors.joining("\n"));
  }

  /// Everything that is left.
  String budget() {
    var lines = new ArrayList<String>();
    session
        .left()
        .forEach((name, left) -> lines.add("%s: %,d left".formatted(name.replace('_', ' '), left)));
    long used = spending.spent().usage().total();
    lines.add(
        "tokens: %,d of %,d left".formatted(Math.max(0, grants.tokens() - used), grants.tokens()));
    return String.join("\n", lines);
  }

  /// The place of the session, and what it has spent.
  ///
  /// @param resume the command that goes on with it
  String status(String resume) {
    var spent = spending.spent();
    var counts = new ArrayList<>(List.of("%,d variables".formatted(session.variables().size())));
    counts.add("%,d model calls".formatted(spent.calls()));
    counts.add("%,d tokens".formatted(spent.usage().total()));
    if (spent.cost().signum() > 0) counts.add(spent.cost().toPlainString());
    return String.join(", ", counts) + "\nresume with: " + resume;
  }
}
