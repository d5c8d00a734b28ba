package dev.superstep.graph;

import dev.superstep.checkpoint.Activation;
import dev.superstep.state.Channel;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/// Which nodes run because of what the state holds. Immutable.
final class Triggers {
  private final List<Group> groups = new ArrayList<>();

  /// The places of tokens for which no node waits.
  private final BitSet results = new BitSet();

  /// What one node waits for; one complete trigger is enough.
  private record Group(NodeSpec node, List<Trigger> triggers) {}

  /// What has to be there for a node. Looked at for every trigger in every superstep, so its places
  /// are plain numbers.
  private static final class Trigger {
    private final List<String> channels;
    private final int[] places;

    Trigger(List<String> channels, int[] places) {
      this.channels = channels;
      this.places = places;
    }

    boolean isComplete(Snapshot state) {
      for (int place : places) if (!state.isPresent(place)) return false;
      return true;
    }

    boolean isBegun(Snapshot state) {
      for (int place : places) {
        var value = state.value(place);
        // A barrier may have been emptied by an overwrite.
        if (state.isPresent(place)) return true;
        if (value instanceof Collection<?> some && !some.isEmpty()) return true;
      }
      return false;
    }
  }

  Triggers(List<Parts.TriggerPart> parts, Wiring wiring, Layout layout) {
    for (int place = 0; place < layout.size(); place++) {
      if (layout.channel(place).reducer().isTaken()) results.set(place);
    }
    var byNode = new LinkedHashMap<NodeSpec, List<Trigger>>();
    for (var part : parts) {
      var node = wiring.node(part.node());
      if (node == null) throw new IllegalStateException("validation let `" + part + "` pass");
      var names = part.tokens().stream().map(Channel::name).toList();
      var places = part.tokens().stream().mapToInt(layout::place).toArray();
      byNode.computeIfAbsent(node, _ -> new ArrayList<>()).add(new Trigger(names, places));
      for (int place : places) results.clear(place);
    }
    byNode.forEach((node, triggers) -> groups.add(new Group(node, List.copyOf(triggers))));
  }

  boolean isEmpty() {
    return groups.isEmpty();
  }

  /// Activates every node of which a trigger is complete.
  ///
  /// @param resumed nodes that asked, and have not taken their tokens yet
  void activate(Snapshot state, List<Due> resumed, BiConsumer<NodeSpec, Activation> activation) {
    for (var group : groups) {
      var held = Set.<String>of();
      for (var due : resumed) {
        if (due.node() == group.node()) held = Set.copyOf(tokens(due.activation()));
      }
      var channels = complete(group, held, state);
      if (channels != null) activation.accept(group.node(), new Activation.Triggered(channels));
    }
  }

  /// The channels of all complete triggers of a node; null if none is.
  private static @Nullable List<String> complete(Group group, Set<String> held, Snapshot state) {
    List<String> complete = null;
    for (var trigger : group.triggers()) {
      if (!trigger.isComplete(state)) continue;
      if (!held.isEmpty() && !Collections.disjoint(trigger.channels, held)) continue;
      if (complete == null) {
        complete = trigger.channels;
      } else {
        var all = new LinkedHashSet<>(complete);
        all.addAll(trigger.channels);
        complete = List.copyOf(all);
      }
    }
    return complete;
  }

  /// Takes what triggered the tasks of a superstep.
  static void take(List<Task> tasks, List<Ended.Finished> results, Layout layout, Folding folding) {
    for (int i = 0; i < tasks.size(); i++) {
      // Whoever asks goes on later, and still needs them.
      if (results.get(i).asked() != null) continue;
      for (var name : tokens(tasks.get(i).due().activation())) folding.take(layout.place(name));
    }
  }

  /// The channels whose values are taken when a task with this activation is done.
  static List<String> tokens(Activation activation) {
    if (activation instanceof Activation.Triggered(var channels)) return channels;
    return activation instanceof Activation.Resumed(_, var channels) ? channels : List.of();
  }

  /// Takes what nobody in the graph waits for: whoever gives new input has seen it.
  void takeResults(Folding folding) {
    results.stream().forEach(folding::take);
  }

  /// The triggers that have some of their tokens and wait for others.
  void waiting(Snapshot state, List<Deadlock.Waiting> waiting) {
    for (var group : groups) {
      for (var trigger : group.triggers()) {
        if (!trigger.isBegun(state) || trigger.isComplete(state)) continue;
        var node = group.node().name();
        var by = "tokens " + String.join("+", trigger.channels) + " -> " + node;
        var missing = missing(trigger, state);
        waiting.add(new Deadlock.Waiting(by, node, missing.size(), missing));
      }
    }
  }

  /// What one trigger waits for.
  ///
  /// @param missing empty if it is complete
  record Look(NodeSpec node, List<String> channels, List<String> missing) {}

  /// How all triggers stand.
  List<Look> look(Snapshot state) {
    var looks = new ArrayList<Look>();
    for (var group : groups) {
      for (var trigger : group.triggers()) {
        looks.add(new Look(group.node(), trigger.channels, missing(trigger, state)));
      }
    }
    return looks;
  }

  private static List<String> missing(Trigger trigger, Snapshot state) {
    var missing = new ArrayList<String>();
    for (int place : trigger.places) {
      if (state.isPresent(place)) continue;
      var channel = state.layout().channel(place);
      var inside = missing(channel, state.value(place));
      missing.add(
          inside.isEmpty()
              ? channel.name()
              : channel.name() + " (" + String.join(", ", inside) + ")");
    }
    return missing;
  }

  @SuppressWarnings("unchecked") // a place holds only what its own channel's reducer made
  private static <V> List<String> missing(Channel<V, ?> channel, @Nullable Object value) {
    return value == null ? List.of() : channel.reducer().missing((V) value);
  }
}
