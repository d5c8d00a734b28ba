package dev.superstep.graph.internal.publish;

import dev.superstep.graph.internal.kernel.Next;
import dev.superstep.graph.internal.kernel.NodeSpec;
import dev.superstep.graph.internal.kernel.Task;
import dev.superstep.graph.internal.kernel.TaskResult;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// How all tasks of one node came to the end of a superstep, for who explains what follows. One
/// thread at a time.
final class NodeEndings {
  private final NodeSpec node;

  /// Commands, of those that did not fail.
  private final List<Next.Goto> commands = new ArrayList<>();

  private int plain;
  private int failed;
  private @Nullable String instead;

  NodeEndings(NodeSpec node) {
    this.node = node;
  }

  /// START, after input that says itself what runs first.
  static NodeEndings seeded(NodeSpec start) {
    var came = new NodeEndings(start);
    came.instead = "the input says what runs first";
    return came;
  }

  /// START, after other input.
  static NodeEndings started(NodeSpec start) {
    var came = new NodeEndings(start);
    came.plain = 1;
    return came;
  }

  /// One for each node, in task order.
  static List<NodeEndings> of(List<Task> tasks, List<TaskResult.Finished> results) {
    var all = new LinkedHashMap<NodeSpec, NodeEndings>();
    for (int i = 0; i < tasks.size(); i++) {
      all.computeIfAbsent(tasks.get(i).due().node(), NodeEndings::new).add(results.get(i));
    }
    return List.copyOf(all.values());
  }

  private void add(TaskResult.Finished result) {
    switch (result.next()) {
      case Next.Edges() -> plain++;
      case Next.Goto named -> {
        if (node.isFailure(named)) failed++;
        else commands.add(named);
      }
      case Next.Ask _, Next.Leave _ -> {}
    }
  }

  NodeSpec node() {
    return node;
  }

  /// How many tasks failed and went to the handler.
  int failed() {
    return failed;
  }

  /// How often its edges are followed.
  int followed() {
    return node.additive ? plain + commands.size() : plain;
  }

  /// Whether joins count it.
  boolean arrives() {
    return plain > 0 || !commands.isEmpty();
  }

  boolean commands() {
    return !commands.isEmpty();
  }

  /// How often commands name or send each target.
  Map<String, Integer> named() {
    var named = new LinkedHashMap<String, Integer>();
    for (var command : commands) {
      for (var target : command.nodes()) named.merge(target, 1, Integer::sum);
    }
    return named;
  }

  /// How many arguments commands send to each target.
  Map<String, Integer> sent() {
    var sent = new LinkedHashMap<String, Integer>();
    for (var command : commands) {
      for (var send : command.sends()) sent.merge(send.target().name(), 1, Integer::sum);
    }
    return sent;
  }

  /// Why no edge of it is followed.
  String whyNot() {
    if (instead != null) return instead;
    if (!commands.isEmpty()) {
      boolean isInside = !node.handOffs.isEmpty();
      return isInside ? "a node inside handed off" : "its command says all that follows";
    }
    if (failed > 0) return "it failed, and only its handler follows";
    return "it asks a question, and nothing follows before the answer";
  }
}
