package dev.superstep.terminal.risk;

import dev.superstep.language.Span;
import dev.superstep.terminal.shell.ShellCommand;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The variables, aliases, functions and directory of a shell at some point of a script, as far as
/// they are known. One thread at a time.
final class ShellState {
  final Map<String, ResolvedWord> variables = new HashMap<>();
  final Map<String, ResolvedWord> aliases = new HashMap<>();
  final Map<String, ShellCommand> functions = new HashMap<>();

  /// The current directory; `null` if it is not known.
  @Nullable String directory;

  static ShellState of(RiskContext context) {
    var state = new ShellState();
    state.directory = context.directory().toString();
    state.set("IFS", " \t\n");
    state.set("HOME", context.home().toString());
    state.set("PWD", context.directory().toString());
    state.set("UID", "0");
    return state;
  }

  /// The state of a subshell, whose changes are lost at its end.
  ShellState copy() {
    var copy = new ShellState();
    copy.variables.putAll(variables);
    copy.aliases.putAll(aliases);
    copy.functions.putAll(functions);
    copy.directory = directory;
    return copy;
  }

  void set(String name, String value) {
    variables.put(name, ResolvedWord.of(value, Span.BEGINNING));
  }
}
