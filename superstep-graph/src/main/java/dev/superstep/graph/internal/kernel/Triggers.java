package dev.superstep.graph.internal.kernel;

import dev.superstep.checkpoint.Activation;
import dev.superstep.error.Deadlock;
import dev.superstep.state.Channel;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/// Which nodes run because of what the state holds. Immutable.
public final class Triggers {
  private final List<Group> groups = new ArrayList<>();

  /// All triggers, those of one node one after the other.
  private final List<NodeTrigger> all = new ArrayList<>();

  /// For each place of a token, which of them wait for it.
  private final Map<Integer, List<Integer>> byPlace = new HashMap<>();

  /// The places of tokens that some node waits for, a bit for each.
  private final long[] awaited;

  /// The places of tokens for which no node waits.
  private final int[] results;

  /// The triggers of one node; one complete trigger is enough.
  private record Group(NodeSpec node, List<Trigger> triggers) {}

  /// @param alone the activation by this trigger and no other of its node
  private record NodeTrigger(NodeSpec node, Trigger trigger, Activation.Triggered alone) {
    /// Returns whether a task of the node that has asked reserves some of the tokens until it is
    /// done.
    boolean isReserved(Map<NodeSpec, Set<String>> reserved) {
      var own = reserved.get(node);
      return own != null && !Collections.disjoint(trigger.channels, own);
    }
  }

  /// The channels that must have values for a node to run. Checked for every trigger in every
  /// superstep, so its places are plain numbers.
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

    boolean hasTokens(Snapshot state) {
      for (int place : places) {
        var value = state.value(place);
        // A barrier may have been emptied by an overwrite.
        if (state.isPresent(place)) return true;
        if (value instanceof Collection<?> some && !some.isEmpty()) return true;
      }
      return false;
    }
  }

  Triggers(
      List<GraphDefinition.TriggerPart> parts, ExecutionGraph executionGraph, ChannelIndex index) {
    var unread = new BitSet();
    for (int place = 0; place < index.size(); place++) {
      if (index.channel(place).reducer().isConsumed()) unread.set(place);
    }
    var byNode = new LinkedHashMap<NodeSpec, List<Trigger>>();
    for (var part : parts) {
      var node = executionGraph.node(part.node());
      if (node == null) throw new IllegalStateException("validation let `" + part + "` pass");
      var names = part.tokens().stream().map(Channel::name).toList();
      var places = part.tokens().stream().mapToInt(index::place).toArray();
      byNode.computeIfAbsent(node, _ -> new ArrayList<>()).add(new Trigger(names, places));
      for (int place : places) unread.clear(place);
    }
    byNode.forEach((node, triggers) -> groups.add(new Group(node, List.copyOf(triggers))));
    var places = new BitSet();
    for (var group : groups) {
      for (var trigger : group.triggers()) {
        for (int place : trigger.places) {
          byPlace.computeIfAbsent(place, _ -> new ArrayList<>()).add(all.size());
          places.set(place);
        }
        var alone = new Activation.Triggered(trigger.channels);
        all.add(new NodeTrigger(group.node(), trigger, alone));
      }
    }
    this.awaited = places.toLongArray();
    this.results = unread.stream().toArray();
  }

  boolean isEmpty() {
    return groups.isEmpty();
  }

  /// Activates every node of which a trigger is complete.
  ///
  /// @param resumed nodes that asked, and have not consumed their tokens yet
  void activate(
      Snapshot state, List<PendingTask> resumed, BiConsumer<NodeSpec, Activation> activation) {
    // Only what waits for a token that is there can be complete.
    var begun = new BitSet();
    state.present(awaited, place -> byPlace.getOrDefault(place, List.of()).forEach(begun::set));
    if (begun.isEmpty()) return;
    var reserved = reservedTokens(resumed);
    var complete = new LinkedHashMap<NodeSpec, Activation.Triggered>();
    for (int i = begun.nextSetBit(0); i >= 0; i = begun.nextSetBit(i + 1)) {
      var one = all.get(i);
      if (!one.trigger().isComplete(state) || one.isReserved(reserved)) continue;
      complete.merge(one.node(), one.alone(), Triggers::both);
    }
    complete.forEach(activation);
  }

  private static Activation.Triggered both(Activation.Triggered one, Activation.Triggered other) {
    var channels = new LinkedHashSet<>(one.channels());
    channels.addAll(other.channels());
    return new Activation.Triggered(List.copyOf(channels));
  }

  /// The tokens that nodes which asked have not consumed yet.
  private static Map<NodeSpec, Set<String>> reservedTokens(List<PendingTask> resumed) {
    if (resumed.isEmpty()) return Map.of();
    var reserved = new HashMap<NodeSpec, Set<String>>();
    for (var due : resumed) {
      reserved.computeIfAbsent(due.node(), _ -> new HashSet<>()).addAll(tokens(due.activation()));
    }
    return reserved;
  }

  /// Takes what triggered the tasks of a superstep.
  static void consume(
      List<Task> tasks, List<TaskResult.Finished> results, ChannelIndex index, Folding folding) {
    for (int i = 0; i < tasks.size(); i++) {
      // A task that asks continues later, and still needs them.
      if (results.get(i).asked() != null) continue;
      for (var name : tokens(tasks.get(i).due().activation())) folding.consume(index.place(name));
    }
  }

  /// The channels whose values are consumed when a task with this activation is done.
  public static List<String> tokens(Activation activation) {
    if (activation instanceof Activation.Triggered(var channels)) return channels;
    return activation instanceof Activation.Resumed(_, var channels) ? channels : List.of();
  }

  /// Consumes the tokens for which no node of the graph waits: the caller that gives new input has
  /// seen them.
  void consumeResults(Folding folding) {
    for (int place : results) folding.consume(place);
  }

  /// The triggers that have some of their tokens and wait for others.
  void waiting(Snapshot state, List<Deadlock.Waiting> waiting) {
    for (var group : groups) {
      for (var trigger : group.triggers()) {
        if (!trigger.hasTokens(state) || trigger.isComplete(state)) continue;
        var node = group.node().name();
        var by = "tokens " + String.join("+", trigger.channels) + " -> " + node;
        var missing = missing(trigger, state);
        waiting.add(new Deadlock.Waiting(by, node, missing.size(), missing));
      }
    }
  }

  /// Records the state of each trigger.
  ///
  /// @param resumed nodes that asked, and have not consumed their tokens yet
  void explain(Snapshot state, List<PendingTask> resumed, List<RoutingReason> reasons) {
    var reserved = reservedTokens(resumed);
    for (var one : all) {
      var missing = missing(one.trigger(), state);
      boolean isReserved = one.isReserved(reserved);
      reasons.add(
          new RoutingReason.Triggered(one.node(), one.trigger().channels, missing, isReserved));
    }
  }

  private static List<String> missing(Trigger trigger, Snapshot state) {
    var missing = new ArrayList<String>();
    for (int place : trigger.places) {
      if (state.isPresent(place)) continue;
      var channel = state.index().channel(place);
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
