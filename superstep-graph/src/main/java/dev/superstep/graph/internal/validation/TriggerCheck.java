package dev.superstep.graph.internal.validation;

import dev.superstep.graph.internal.kernel.GraphDefinition;
import dev.superstep.run.Problem;
import dev.superstep.state.Channel;
import dev.superstep.topology.Topology;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/// Finds what is wrong with the triggers of a graph.
final class TriggerCheck {
  private final GraphDefinition definition;
  private final List<Problem> problems;
  private final Map<Channel<?, ?>, String> readers = new HashMap<>();
  private final Set<Channel<?, ?>> declared = Collections.newSetFromMap(new IdentityHashMap<>());

  private TriggerCheck(GraphDefinition definition, List<Problem> problems) {
    this.definition = definition;
    this.problems = problems;
    declared.addAll(definition.channels);
  }

  static void check(GraphDefinition definition, List<Problem> problems) {
    var check = new TriggerCheck(definition, problems);
    definition.triggers.forEach(check::trigger);
    check.covered();
  }

  private void trigger(GraphDefinition.TriggerPart trigger) {
    if (trigger.node().equals(Topology.END)) {
      add("trigger-to-end", "END does nothing with tokens; leave them, and the run ends");
    }
    if (trigger.tokens().isEmpty()) {
      add("no-tokens", "the trigger of node `" + trigger.node() + "` names no token");
    }
    var named = new HashSet<Channel<?, ?>>();
    for (var token : trigger.tokens()) {
      if (!named.add(token)) {
        add("duplicate-token", "a trigger names a token twice: " + show(trigger));
      } else {
        token(trigger, token);
      }
    }
  }

  private void token(GraphDefinition.TriggerPart trigger, Channel<?, ?> token) {
    if (!declared.contains(token)) {
      add(
          "undeclared-channel",
          "the graph does not declare channel `" + token.name() + "`: " + show(trigger));
    }
    if (!token.reducer().isConsumed()) {
      add(
          "not-a-token",
          "channel `"
              + token.name()
              + "` is "
              + token.kind()
              + "; only tokens and barriers trigger: "
              + show(trigger));
    }
    // Which of two would take it first would be left to the order of other tokens.
    var reader = readers.putIfAbsent(token, trigger.node());
    if (reader != null && !reader.equals(trigger.node())) {
      add(
          "token-with-two-readers",
          "nodes `"
              + reader
              + "` and `"
              + trigger.node()
              + "` both wait for token `"
              + token.name()
              + "`, and only one can take it; write a token for each");
    }
  }

  /// Reports a trigger that needs more tokens than another of its node, which would consume them
  /// first.
  private void covered() {
    var byToken = new HashMap<Channel<?, ?>, List<Integer>>();
    for (int i = 0; i < definition.triggers.size(); i++) {
      for (var token : definition.triggers.get(i).tokens()) {
        byToken.computeIfAbsent(token, _ -> new ArrayList<>()).add(i);
      }
    }
    for (int i = 0; i < definition.triggers.size(); i++) {
      var wide = definition.triggers.get(i);
      // Others have none of its tokens.
      var near = new TreeSet<Integer>();
      for (var token : wide.tokens()) near.addAll(byToken.getOrDefault(token, List.of()));
      for (int j : near) {
        var narrow = definition.triggers.get(j);
        if (i == j || !wide.node().equals(narrow.node()) || narrow.tokens().isEmpty()) continue;
        var more = Set.<Channel<?, ?>>copyOf(wide.tokens());
        var less = Set.<Channel<?, ?>>copyOf(narrow.tokens());
        boolean same = more.equals(less);
        if (same && i < j) add("duplicate-trigger", "a trigger is there twice: " + show(wide));
        if (same || !more.containsAll(less)) continue;
        add(
            "covered-trigger",
            "trigger "
                + show(wide)
                + " never fires by itself, since "
                + show(narrow)
                + " takes its tokens; keep one");
      }
    }
  }

  private static String show(GraphDefinition.TriggerPart trigger) {
    var names = trigger.tokens().stream().map(Channel::name).toList();
    return String.join("+", names) + " -> " + trigger.node();
  }

  private void add(String code, String message) {
    problems.add(new Problem(code, message));
  }
}
