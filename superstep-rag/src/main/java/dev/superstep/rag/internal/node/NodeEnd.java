package dev.superstep.rag.internal.node;

import dev.superstep.language.blueprint.NodeBlueprint;
import dev.superstep.language.blueprint.Value;
import dev.superstep.node.Command;
import dev.superstep.node.EngineResult;
import dev.superstep.node.NoUpdate;
import dev.superstep.node.NodeResult;
import dev.superstep.node.Update;
import dev.superstep.rag.error.MissingRoute;
import dev.superstep.rag.internal.run.Scene;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// The end of a node: what it writes beside its result, and where its label or its command leads.
/// Immutable.
///
/// @param routes the targets of the labels that the node ends with by itself
/// @param target where its command leads, if it has one that leads somewhere
/// @param more what its command writes
public record NodeEnd(
    String node, Map<String, String> routes, Optional<String> target, Update more) {
  private static final Update NOTHING = new Update(List.of());

  public static NodeEnd of(NodeBlueprint node, Scene scene) {
    var routes = new LinkedHashMap<String, String>();
    if (node.router().isEmpty() && node.kind().isLabelled()) {
      for (var route : node.routes()) routes.put(route.chosenBy(), Scene.target(route.to()));
    }
    var command = node.command();
    return new NodeEnd(
        node.name(),
        routes,
        command.flatMap(Value.Command::target).map(Scene::target),
        command.map(each -> scene.update(each.update())).orElse(NOTHING));
  }

  /// Returns whether the result of the node is left as it is.
  public boolean isPlain() {
    return routes.isEmpty() && target.isEmpty() && more.writes().isEmpty();
  }

  /// The end of the node without a command or labels.
  public NodeEnd plain() {
    return new NodeEnd(node, Map.of(), Optional.empty(), NOTHING);
  }

  /// Returns whether the node must end with a label.
  public boolean isLabelled() {
    return !routes.isEmpty();
  }

  public Set<String> labels() {
    return routes.keySet();
  }

  /// Returns whether the node returns commands.
  public boolean commands() {
    return isLabelled() || target.isPresent();
  }

  /// The result of a node that wrote this and has no label.
  public NodeResult of(Update update) {
    var all = more.writes().isEmpty() ? update : update.and(more);
    return target.<NodeResult>map(to -> Command.to(to).with(all)).orElse(all);
  }

  /// The result of a node that wrote this and ends with a label.
  ///
  /// @throws MissingRoute if it has no route for the label
  public NodeResult of(Update update, String label) {
    if (!isLabelled()) return of(update);
    var to = routes.get(label);
    if (to == null) throw new MissingRoute(node, label, routes.keySet());
    return Command.to(to).with(update.and(more));
  }

  /// The result of registered code, with the command of the text.
  public NodeResult of(NodeResult result) {
    if (more.writes().isEmpty() && target.isEmpty()) return result;
    return switch (result) {
      case Update update -> of(update);
      case NoUpdate _ -> of(NOTHING);
      case Command command -> command.with(more);
      default -> result;
    };
  }

  /// The result of a graph inside, with the writes of the command of the text. Where that leads is
  /// an edge, since a graph on shared channels returns no command.
  NodeResult ofGraph(NodeResult result) {
    if (more.writes().isEmpty()) return result;
    return switch (result) {
      case Update update -> update.and(more);
      case NoUpdate _ -> more;
      case Command command -> command.with(more);
      case EngineResult ended -> ended.and(more);
      default -> result;
    };
  }
}
