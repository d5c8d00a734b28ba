package dev.superstep.flow;

import dev.superstep.run.Problem;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Finds what is wrong with the wiring of a flow. For one use.
final class FlowCheck {
  private final StateType<?> entry;
  private final StateType<?> exit;
  private final List<StepDefinition> parts;
  private final int loops;
  private final List<Problem> problems = new ArrayList<>();
  private final Map<String, StepDefinition> consumers = new LinkedHashMap<>();
  private final Map<String, List<StepDefinition>> givers = new LinkedHashMap<>();

  FlowCheck(StateType<?> entry, StateType<?> exit, List<StepDefinition> parts, int loops) {
    this.entry = entry;
    this.exit = exit;
    this.parts = parts;
    this.loops = loops;
    for (var part : parts) {
      for (var state : part.takes()) consumers.putIfAbsent(state.key(), part);
      for (var state : part.gives()) {
        givers.computeIfAbsent(state.key(), _ -> new ArrayList<>()).add(part);
      }
    }
  }

  private void add(String code, String message) {
    var problem = new Problem(code, message);
    if (!problems.contains(problem)) problems.add(problem);
  }

  /// Everything that is wrong.
  List<Problem> problems() {
    if (entry.key().equals(exit.key())) {
      add("same-ends", "it begins and ends with `" + entry + "`; give its output another type");
    }
    names();
    ambiguousInputs();
    for (var part : parts) step(part);
    ends();
    paths();
    endless();
    return List.copyOf(problems);
  }

  private void names() {
    var types = new HashMap<String, Class<?>>();
    types.put(entry.key(), entry.type());
    name(exit, types);
    for (var part : parts) {
      for (var state : part.takes()) name(state, types);
      for (var state : part.gives()) name(state, types);
    }
  }

  private void name(StateType<?> state, Map<String, Class<?>> types) {
    var known = types.putIfAbsent(state.key(), state.type());
    if (known == null || known.equals(state.type())) return;
    add(
        "duplicate-name",
        "`%s` is the name of %s and of %s; give one of them a @SchemaName"
            .formatted(state, known.getName(), state.type().getName()));
  }

  private void ambiguousInputs() {
    for (var part : parts) {
      for (var state : new LinkedHashSet<>(part.takes())) {
        var first = consumers.get(state.key());
        if (first == null || first.equals(part)) continue;
        add(
            "duplicate-key",
            "`%s` is taken by two steps: `%s` and `%s`"
                .formatted(state, first.line(), part.line()));
      }
    }
  }

  private void step(StepDefinition part) {
    var given = keys(part.gives());
    if (new HashSet<>(given).size() < given.size()) {
      var code = part.kind().isChoice() ? "same-choices" : "same-branches";
      add(code, "`" + part.line() + "` gives one state twice; give each a type of its own");
    }
    if (part.kind() == StepDefinition.Kind.AGENT && keys(part.takes()).equals(given)) {
      add("same-agent", "`" + part.line() + "` gives what it takes; give its answer another type");
    }
    if (!part.kind().isMeeting()) return;
    var taken = keys(part.takes());
    if (new HashSet<>(taken).size() < taken.size()) {
      add("same-parents", "`" + part.line() + "` waits for one state twice");
    }
    for (var key : given) {
      if (taken.contains(key)) {
        add("same-target", "`" + part.line() + "` makes a state that it waits for");
      }
    }
    for (var state : part.takes()) {
      if (givers.containsKey(state.key()) || state.key().equals(entry.key())) continue;
      add(
          "unknown-parent",
          "`%s` waits for `%s`, which no step gives".formatted(part.line(), state));
    }
  }

  private void ends() {
    if (!consumers.containsKey(entry.key())) {
      add("no-entry", "no step takes the input `" + entry + "`");
    }
    var ends = new LinkedHashSet<String>();
    for (var key : givers.keySet()) if (!consumers.containsKey(key)) ends.add(key);
    if (ends.equals(Set.of(exit.key()))) return;
    if (ends.isEmpty()) {
      add("no-end", "no step gives the output `" + exit + "` as its end");
      return;
    }
    var others = ends.stream().filter(e -> !e.equals(exit.key())).toList();
    if (!ends.contains(exit.key())) {
      add("no-end", "it ends with " + quoted(ends) + ", and not with its output `" + exit + "`");
    } else {
      add(
          "other-end",
          "no step takes " + quoted(others) + "; it must end with `" + exit + "` alone");
    }
  }

  /// Nothing is out of reach, and all that is reached leads on to an end.
  private void paths() {
    var reached = new HashSet<StepDefinition>();
    var states = new HashSet<String>(Set.of(entry.key()));
    boolean more = true;
    while (more) {
      more = false;
      for (var part : parts) {
        // One state of a meeting will do: whether the others come is another question.
        if (reached.contains(part) || keys(part.takes()).stream().noneMatch(states::contains))
          continue;
        reached.add(part);
        states.addAll(keys(part.gives()));
        more = true;
      }
    }
    for (var part : parts) {
      if (!reached.contains(part)) {
        add("unreachable", "nothing leads to `" + part.line() + "`");
      }
    }
    var leading = new HashSet<StepDefinition>();
    more = true;
    while (more) {
      more = false;
      for (var part : parts) {
        if (leading.contains(part) || !leadsOn(part, leading)) continue;
        leading.add(part);
        more = true;
      }
    }
    for (var part : parts) {
      if (!leading.contains(part)) {
        add("no-way-out", "`" + part.line() + "` never leads to an end");
      }
    }
  }

  private boolean leadsOn(StepDefinition part, Set<StepDefinition> leading) {
    for (var key : keys(part.gives())) {
      var next = consumers.get(key);
      if (next == null || leading.contains(next)) return true;
    }
    return false;
  }

  private void endless() {
    if (loops > 0) return;
    for (var loop : loops()) {
      if (loop.stream().allMatch(part -> part.limit() > 0)) continue;
      var line = loop.stream().map(StepDefinition::name).collect(Collectors.joining(" -> "));
      add(
          "endless-loop",
          "`%s` comes again; say how often it may, as in `.loops(5)`".formatted(line));
    }
  }

  /// The steps, those that are in loops with their limits.
  List<StepDefinition> limited() {
    var limits = new HashMap<StepDefinition, Integer>();
    for (var loop : loops()) {
      // Those of a flow inside have their own; only a loop around that counts them again.
      if (loop.stream().allMatch(part -> part.limit() > 0)) continue;
      for (var part : loop) {
        limits.put(part, (int) Math.min(Integer.MAX_VALUE, Math.max(1L, part.limit()) * loops));
      }
    }
    return parts.stream()
        .map(part -> limits.containsKey(part) ? part.limited(limits.get(part)) : part)
        .toList();
  }

  /// The steps that can follow themselves, grouped by the loop that they are in.
  private List<List<StepDefinition>> loops() {
    var groups = new ArrayList<List<StepDefinition>>();
    var grouped = new HashSet<StepDefinition>();
    for (var part : parts) {
      if (grouped.contains(part)) continue;
      var after = after(part);
      if (!after.contains(part)) continue;
      var group = parts.stream().filter(o -> after.contains(o) && after(o).contains(part)).toList();
      grouped.addAll(group);
      groups.add(group);
    }
    return groups;
  }

  /// The steps that may run because this one did.
  private Set<StepDefinition> after(StepDefinition part) {
    var after = new HashSet<StepDefinition>();
    var open = new ArrayList<StepDefinition>(List.of(part));
    while (!open.isEmpty()) {
      for (var key : keys(open.removeLast().gives())) {
        @Nullable StepDefinition next = consumers.get(key);
        if (next != null && after.add(next)) open.add(next);
      }
    }
    return after;
  }

  private static List<String> keys(List<StateType<?>> states) {
    return states.stream().map(StateType::key).toList();
  }

  private static String quoted(Iterable<String> keys) {
    var all = new ArrayList<String>();
    for (var key : keys) all.add("`" + key + "`");
    return String.join(", ", all);
  }
}
