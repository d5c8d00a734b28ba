package dev.superstep.flow;

import dev.superstep.run.Problem;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Plays a flow through, with every choice that its steps can make, and tells where it would be
/// stuck. Which of several steps that are due runs first makes no difference, since no two take the
/// same state; so only choices branch. For one use.
final class Soundness {
  /// Flows with more ways than this are played through in part.
  private static final int MARKINGS_MAX = 20_000;

  private final StateType<?> entry;
  private final StateType<?> exit;
  private final List<StepDefinition> parts;
  private final List<Problem> warnings = new ArrayList<>();

  Soundness(StateType<?> entry, StateType<?> exit, List<StepDefinition> parts) {
    this.entry = entry;
    this.exit = exit;
    this.parts = parts;
  }

  /// The present states, and the choices that led to them.
  private record Marking(Set<String> states, List<String> chosen) {
    String way() {
      return chosen.isEmpty() ? "" : "if " + String.join(" and ", chosen) + ", ";
    }
  }

  List<Problem> warnings() {
    var seen = new HashSet<Set<String>>();
    var open = new ArrayDeque<Marking>();
    open.add(new Marking(Set.of(entry.key()), List.of()));
    while (!open.isEmpty()) {
      var at = open.removeFirst();
      if (!seen.add(at.states())) continue;
      if (seen.size() > MARKINGS_MAX) {
        add("not-checked", "it has more ways than were played through: " + MARKINGS_MAX);
        break;
      }
      var part = due(at);
      if (part == null) ended(at);
      else open.addAll(after(at, part));
    }
    return List.copyOf(warnings);
  }

  private void add(String code, String message) {
    var problem = new Problem(code, message);
    if (!warnings.contains(problem)) warnings.add(problem);
  }

  private @Nullable StepDefinition due(Marking at) {
    for (var part : parts) {
      if (part.takes().stream().allMatch(state -> at.states().contains(state.key()))) return part;
    }
    return null;
  }

  private List<Marking> after(Marking at, StepDefinition part) {
    var left = new LinkedHashSet<>(at.states());
    for (var state : part.takes()) left.remove(state.key());
    var next = new ArrayList<Marking>();
    if (!part.kind().isChoice()) {
      next.add(new Marking(with(left, part.gives(), at), at.chosen()));
      return next;
    }
    for (var state : part.gives()) {
      var chosen = new ArrayList<>(at.chosen());
      chosen.add("`" + part.name() + "` becomes `" + state + "`");
      var marking = new Marking(at.states(), chosen);
      next.add(new Marking(with(left, List.of(state), marking), chosen));
    }
    return next;
  }

  private Set<String> with(Set<String> states, List<StateType<?>> more, Marking at) {
    var all = new LinkedHashSet<>(states);
    for (var state : more) {
      if (all.add(state.key())) continue;
      add("written-twice", at.way() + "`" + state + "` comes a second time before it is taken");
    }
    return all;
  }

  private void ended(Marking at) {
    var left = new LinkedHashSet<>(at.states());
    left.remove(exit.key());
    if (left.isEmpty()) return;
    var waiting = new LinkedHashMap<String, String>();
    for (var part : parts) {
      var missing =
          part.takes().stream().filter(state -> !at.states().contains(state.key())).toList();
      if (missing.size() < part.takes().size() && !missing.isEmpty()) {
        waiting.put(part.name(), names(missing));
      }
    }
    waiting.forEach((name, missing) ->
        add("starved", at.way() + "`" + name + "` waits for " + missing + " for ever"));
  }

  private static String names(List<StateType<?>> states) {
    return states.stream().map(s -> "`" + s + "`").collect(Collectors.joining(", "));
  }
}
