package dev.superstep.language.blueprint;

import dev.superstep.language.rag.Item;
import dev.superstep.language.rag.NodeKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;

/// A node of a graph as text. Methods read its items; an item that has no method is in [#items].
/// Immutable.
public record NodeBlueprint(String name, Items items) {
  public NodeBlueprint {
    Literal.checkText(name);
    Objects.requireNonNull(items, "items");
  }

  /// The kind; a model unless it says otherwise.
  public NodeKind kind() {
    return items.text(Item.KIND).flatMap(NodeKind::of).orElse(NodeKind.MODEL);
  }

  public Optional<String> model() {
    return items.text(Item.MODEL_NAME);
  }

  /// The registered agent of a node of kind `subagent`.
  public Optional<String> agent() {
    return items.text(Item.AGENT_NAME);
  }

  /// The graph of a node of kind `subgraph`: one of the same source, or a registered one.
  public Optional<String> graph() {
    return items.text(Item.GRAPH_NAME);
  }

  public Optional<String> script() {
    return items.text(Item.SCRIPT);
  }

  /// The registered code of a node of kind `function`.
  public Optional<String> function() {
    return items.text(Item.FUNCTION_NAME);
  }

  public List<String> tools() {
    return items.texts(Item.TOOLS);
  }

  public List<String> middleware() {
    return items.texts(Item.MIDDLEWARE);
  }

  public Optional<Value.Prompt> system() {
    return items.find(Item.SYSTEM, Value.Prompt.class);
  }

  public Optional<Value.Prompt> prompt() {
    return items.find(Item.PROMPT, Value.Prompt.class);
  }

  /// The possible answers of a node that asks.
  public List<String> options() {
    return items.texts(Item.OPTIONS);
  }

  /// The type of the argument that the node is sent, if it runs on one.
  public Optional<TypeName> argument() {
    return items.find(Item.ARGUMENT, Value.Type.class).map(Value.Type::type);
  }

  /// The type of the answer; text unless it says otherwise.
  public Optional<TypeName> answer() {
    return items.find(Item.ANSWER, Value.Type.class).map(Value.Type::type);
  }

  /// The channel to which the answer is written.
  public Optional<String> into() {
    return items.text(Item.INTO);
  }

  public Optional<Value.Sources> sources() {
    return items.find(Item.SOURCES, Value.Sources.class);
  }

  public Optional<Value.Router> router() {
    return items.find(Item.ROUTER_NAME, Value.Router.class);
  }

  public List<Value.Route> routes() {
    return items.find(Item.ROUTES, Value.Routes.class).map(Value.Routes::routes).orElse(List.of());
  }

  /// The nodes that always follow, by `next`.
  public List<String> next() {
    return items.texts(Item.NEXT);
  }

  public Optional<Value.Command> command() {
    return items.find(Item.COMMAND, Value.Command.class);
  }

  public List<Value.Send> sends() {
    return items.find(Item.SENDS, Value.Sends.class).map(Value.Sends::sends).orElse(List.of());
  }

  public Optional<Value.FanOut> fanOut() {
    return items.find(Item.FAN_OUT, Value.FanOut.class);
  }

  public Optional<Retries> retry() {
    return items.has(Item.RETRY)
        ? Optional.of(Retries.of(items.fields(Item.RETRY)))
        : Optional.empty();
  }

  public OptionalInt concurrency() {
    return items.count(Item.CONCURRENCY);
  }

  public Optional<Value.OnFailure> onFailure() {
    return items.find(Item.ON_FAILURE, Value.OnFailure.class);
  }

  public Optional<Value.Steering> steering() {
    return items.find(Item.STEERING, Value.Steering.class);
  }

  public boolean isDeferred() {
    return items.has(Item.DEFERRED);
  }

  /// The nodes that items of this node lead to, END included; edges of the graph are not among
  /// them.
  public List<String> targets() {
    var targets = new ArrayList<>(next());
    routes().forEach(route -> targets.add(route.to()));
    command().flatMap(Value.Command::target).ifPresent(targets::add);
    sends().forEach(send -> targets.add(send.to()));
    fanOut().ifPresent(fan -> targets.addAll(fan.to()));
    targets.addAll(items.texts(Item.DESTINATIONS));
    targets.addAll(items.texts(Item.ADDED_DESTINATIONS));
    targets.addAll(items.texts(Item.HAND_OFFS));
    return targets;
  }
}
