package dev.superstep.shape;

import dev.superstep.graph.Graph;
import dev.superstep.graph.GraphBuilder;
import dev.superstep.graph.NodePolicy;
import dev.superstep.node.Node;
import dev.superstep.shape.Rounds.Result;
import dev.superstep.state.Channel;
import java.util.List;
import java.util.Map;

/// The loop between a model and its tools, with a node for each of its parts: `dispatch` asks the
/// model, `parse` reads its answer, `stop_check` decides whether it is done. If not, `tools` does
/// what the model wants, `compact` makes room, and the model is asked again. At last `finalize`
/// runs. `parse`, `compact` and `finalize` may be left out.
///
/// ```java
/// var turn =
///     CanonicalTurn.named("turn", 8)
///         .dispatch(Desk::ask)
///         .stopCheck(Desk::isDone)
///         .tools(Desk::call);
/// turn.addTo(builder).edge(START, turn.entry());
/// ```
///
/// One thread at a time.
public final class CanonicalTurn {
  private static final List<String> BEFORE = List.of("dispatch", "parse");
  private static final List<String> BETWEEN = List.of("tools", "compact");
  private static final String LAST = "finalize";

  private final Outline outline;
  private final Loop loop;
  private String then = Graph.END;

  private CanonicalTurn(String name, int most) {
    this.outline =
        new Outline(name, "dispatch", "parse", "stop_check", "tools", "compact", "finalize");
    this.loop = Loop.named(name, most);
  }

  /// A shape whose nodes are named `name.dispatch` and so on.
  ///
  /// @param most how often the model may be asked; after that the loop ends as if it were done
  public static CanonicalTurn named(String name, int most) {
    return new CanonicalTurn(name, most);
  }

  /// Asks the model.
  public CanonicalTurn dispatch(Node node) {
    return dispatch(Step.of(node));
  }

  /// Like [#dispatch(Node)].
  public CanonicalTurn dispatch(Step step) {
    outline.set("dispatch", step);
    return this;
  }

  /// Reads the answer.
  public CanonicalTurn parse(Node node) {
    return parse(Step.of(node));
  }

  /// Like [#parse(Node)].
  public CanonicalTurn parse(Step step) {
    outline.set("parse", step);
    return this;
  }

  /// Decides whether the turn is done.
  public CanonicalTurn stopCheck(LoopCheck isDone) {
    return stopCheck(isDone, NodePolicy.defaults());
  }

  /// Decides whether the turn is done, and says what is done if the check throws or takes too long.
  /// If its policy passes over that, the loop ends as it does after the last question.
  public CanonicalTurn stopCheck(LoopCheck isDone, NodePolicy policy) {
    outline.set("stop_check", Step.of(loop.node(isDone), policy));
    return this;
  }

  /// Does what the model wants.
  public CanonicalTurn tools(Node node) {
    return tools(Step.of(node));
  }

  /// Like [#tools(Node)].
  public CanonicalTurn tools(Step step) {
    outline.set("tools", step);
    return this;
  }

  /// Makes room in what the model is given.
  public CanonicalTurn compact(Node node) {
    return compact(Step.of(node));
  }

  /// Like [#compact(Node)].
  public CanonicalTurn compact(Step step) {
    outline.set("compact", step);
    return this;
  }

  /// Runs last, also when the model may not be asked again; [#rounds] tells which it is.
  public CanonicalTurn finish(Node node) {
    return finish(Step.of(node));
  }

  /// Like [#finish(Node)].
  public CanonicalTurn finish(Step step) {
    outline.set(LAST, step);
    return this;
  }

  /// Sets the node that follows; the end of the graph unless set.
  public CanonicalTurn then(String node) {
    then = node;
    return this;
  }

  /// The state of the loop. Declared by [#addTo], written by `stop_check`.
  public Channel<Rounds, Rounds> rounds() {
    return loop.rounds();
  }

  /// The node with which it begins.
  public String entry() {
    return node("dispatch");
  }

  /// The name of one of its nodes.
  public String node(String place) {
    return outline.node(place);
  }

  /// Adds nodes, edges, the channel [#rounds] and one for the verdict to a graph. What leads to
  /// [#entry] is up to the graph.
  ///
  /// @throws IllegalStateException if it has no `dispatch`, `stop_check` or `tools`
  public GraphBuilder addTo(GraphBuilder builder) {
    outline.require("dispatch", "stop_check", "tools");
    outline.addNodes(builder);
    outline.chain(builder, BEFORE, node("stop_check"));
    var end = outline.first(List.of(LAST), then);
    var targets = Map.of(Result.PASSED, end, Result.AGAIN, node("tools"), Result.EXHAUSTED, end);
    loop.route(builder, node("stop_check"), targets);
    outline.chain(builder, BETWEEN, entry());
    outline.chain(builder, List.of(LAST), then);
    return builder;
  }

  @Override
  public String toString() {
    return "CanonicalTurn[" + entry() + "]";
  }
}
