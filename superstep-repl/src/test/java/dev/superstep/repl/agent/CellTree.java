package dev.superstep.repl.agent;

import dev.superstep.testkit.Choices;
import dev.superstep.testkit.Gen;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Sessions that begin sessions, as a value that can be shrunk. Immutable.
///
/// @param cells of the session, in their order
record CellTree(String name, List<List<Action>> cells) {
  private static final int DEPTH = 2;

  /// The limits of a run.
  ///
  /// @param calls of models in the whole tree, or null for any number
  /// @param tokens of the whole tree, or null for any number
  /// @param leaves the calls of models by cells, in each session
  /// @param tools the calls of tools, in each session
  record Limits(@Nullable Integer calls, @Nullable Integer tokens, int leaves, int tools) {
    static Limits draw(Choices choices) {
      return new Limits(
          choices.chance(60) ? choices.below(25) : null,
          choices.chance(30) ? choices.below(30_000) : null,
          choices.chance(50) ? choices.below(12) : 64,
          choices.chance(50) ? choices.below(4) : 128);
    }
  }

  /// A tree and its limits.
  record Case(CellTree root, Limits limits, int failures, int concurrency) {}

  /// A statement of a cell.
  sealed interface Action {
    /// Returns true if the statement catches whatever can be caught.
    boolean isCaught();

    /// Calls of the small model, side by side.
    record Leaves(int count, boolean isCaught) implements Action {}

    /// Calls of a tool, side by side.
    record Tools(int count, boolean isCaught) implements Action {}

    /// Sessions inside, side by side.
    record Sessions(List<CellTree> children, boolean isCaught) implements Action {}
  }

  static Gen<Case> cases() {
    return choices ->
        new Case(
            draw(choices, "0", DEPTH),
            Limits.draw(choices),
            choices.of(0, 10, 30),
            choices.of(1, 3, 8));
  }

  private static CellTree draw(Choices choices, String name, int depth) {
    int[] made = {0};
    var cells =
        choices.list(3, c -> List.copyOf(c.list(3, inner -> action(inner, name, depth, made))));
    return new CellTree(name, List.copyOf(cells));
  }

  private static Action action(Choices choices, String name, int depth, int[] made) {
    boolean isCaught = choices.chance(50);
    int kind = choices.below(depth > 0 ? 4 : 3);
    if (kind == 3) {
      var children = new ArrayList<CellTree>();
      int size = 1 + choices.below(3);
      for (int i = 0; i < size; i++) {
        children.add(draw(choices, name + "." + made[0]++, depth - 1));
      }
      return new Action.Sessions(List.copyOf(children), isCaught);
    }
    int count = 1 + choices.below(5);
    return kind == 2 ? new Action.Tools(count, isCaught) : new Action.Leaves(count, isCaught);
  }

  /// The tree of a name inside of this one.
  CellTree find(String path) {
    if (path.equals(name)) return this;
    for (var cell : cells) {
      for (var action : cell) {
        if (!(action instanceof Action.Sessions(var children, _))) continue;
        for (var child : children) {
          if (path.equals(child.name) || path.startsWith(child.name + ".")) return child.find(path);
        }
      }
    }
    throw new IllegalArgumentException("no session `" + path + "`");
  }

  /// The source of a cell; the one behind the last answers.
  String source(int cell) {
    if (cell >= cells.size()) return "answer('done " + name + "')";
    var text = new StringBuilder("x = 0\n");
    int number = 0;
    for (var action : cells.get(cell)) {
      var call = call(action, cell + "-" + number++);
      text.append(
          action.isCaught()
              ? "try:\n    x = " + call + "\nexcept Exception as e:\n    x = e\n"
              : "x = " + call + "\n");
    }
    return text.toString();
  }

  private String call(Action action, String at) {
    return switch (action) {
      case Action.Leaves(var count, _) when count == 1 ->
          "llm_query('leaf %s %s-0')".formatted(name, at);
      case Action.Leaves(var count, _) ->
          "llm_batch(['leaf %s %s-' + str(i) for i in range(%d)])".formatted(name, at, count);
      case Action.Tools(var count, _) when count == 1 -> "tool('mark', name='%s')".formatted(name);
      case Action.Tools(var count, _) ->
          "tool_call_batched([{'tool': 'mark', 'arguments': {'name': '%s'}}] * %d)"
              .formatted(name, count);
      case Action.Sessions(var children, _) when children.size() == 1 ->
          "rlm_query('session %s;')".formatted(children.getFirst().name);
      case Action.Sessions(var children, _) ->
          "rlm_batch(["
              + String.join(", ", children.stream().map(c -> "'session " + c.name + ";'").toList())
              + "])";
    };
  }
}
