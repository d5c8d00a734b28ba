package dev.superstep.shape;

import dev.superstep.graph.Graph;
import dev.superstep.graph.GraphBuilder;
import dev.superstep.node.Node;
import java.util.List;

/// A request and its answer: `dispatch`, then `parse` and `finalize` if they are set. It is
/// [CanonicalTurn] without tools.
///
/// ```java
/// var title = SingleShot.named("title", Titles::ask).parse(Titles::parse).then("publish");
/// title.addTo(builder).edge(START, title.entry());
/// ```
///
/// One thread at a time.
public final class SingleShot {
  private static final List<String> PLACES = List.of("dispatch", "parse", "finalize");

  private final Outline outline;
  private String then = Graph.END;

  private SingleShot(String name) {
    this.outline = new Outline(name, PLACES.toArray(String[]::new));
  }

  /// A shape whose nodes are named `name.dispatch` and so on.
  ///
  /// @param dispatch makes the request
  public static SingleShot named(String name, Node dispatch) {
    return named(name, Step.of(dispatch));
  }

  /// Like [#named(String, Node)].
  public static SingleShot named(String name, Step dispatch) {
    var shape = new SingleShot(name);
    shape.outline.set("dispatch", dispatch);
    return shape;
  }

  /// Makes what is needed of the answer.
  public SingleShot parse(Node node) {
    return parse(Step.of(node));
  }

  /// Like [#parse(Node)].
  public SingleShot parse(Step step) {
    outline.set("parse", step);
    return this;
  }

  /// Runs last.
  public SingleShot finish(Node node) {
    return finish(Step.of(node));
  }

  /// Like [#finish(Node)].
  public SingleShot finish(Step step) {
    outline.set("finalize", step);
    return this;
  }

  /// Sets the node that follows; the end of the graph unless set.
  public SingleShot then(String node) {
    then = node;
    return this;
  }

  /// The node with which it begins.
  public String entry() {
    return node("dispatch");
  }

  /// The name of one of its nodes.
  public String node(String place) {
    return outline.node(place);
  }

  /// Adds nodes and edges to a graph. What leads to [#entry] is up to the graph.
  public GraphBuilder addTo(GraphBuilder builder) {
    outline.addNodes(builder);
    outline.chain(builder, PLACES, then);
    return builder;
  }

  @Override
  public String toString() {
    return "SingleShot[" + entry() + "]";
  }
}
