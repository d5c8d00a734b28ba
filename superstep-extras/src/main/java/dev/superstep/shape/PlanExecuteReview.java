package dev.superstep.shape;

import dev.superstep.graph.Graph;
import dev.superstep.graph.GraphBuilder;
import dev.superstep.graph.NodePolicy;
import dev.superstep.node.Node;
import dev.superstep.shape.Rounds.Result;
import dev.superstep.state.Channel;
import java.util.List;
import java.util.Map;

/// Work that is planned once, done, and done again until a review passes: `plan`, `execute`,
/// `review`, and back to `execute` if the review fails. When too many have failed, something else
/// follows, such as a person.
///
/// ```java
/// var work =
///     PlanExecuteReview.named("work", 3, "escalate")
///         .plan(Essay::plan)
///         .execute(Essay::write)
///         .review(Essay::review)
///         .then("publish");
/// work.addTo(builder).edge(START, work.entry());
/// ```
///
/// One thread at a time.
public final class PlanExecuteReview {
  private final Outline outline;
  private final Loop loop;
  private final String exhausted;
  private String then = Graph.END;

  private PlanExecuteReview(String name, int most, String exhausted) {
    this.outline = new Outline(name, "plan", "execute", "review");
    this.loop = Loop.named(name, most);
    this.exhausted = exhausted;
  }

  /// A shape whose nodes are named `name.plan` and so on.
  ///
  /// @param most how many reviews there may be, and so how often the work may be done
  /// @param exhausted what follows when the last of them has failed; may be the end of the graph
  public static PlanExecuteReview named(String name, int most, String exhausted) {
    return new PlanExecuteReview(name, most, exhausted);
  }

  /// Says what is to be done.
  public PlanExecuteReview plan(Node node) {
    return plan(Step.of(node));
  }

  /// Like [#plan(Node)].
  public PlanExecuteReview plan(Step step) {
    outline.set("plan", step);
    return this;
  }

  /// Does it, or does it again: what the reviews said is in the state.
  public PlanExecuteReview execute(Node node) {
    return execute(Step.of(node));
  }

  /// Like [#execute(Node)].
  public PlanExecuteReview execute(Step step) {
    outline.set("execute", step);
    return this;
  }

  /// Decides whether it is good enough.
  public PlanExecuteReview review(LoopCheck isGood) {
    return review(isGood, NodePolicy.defaults());
  }

  /// Decides whether it is good enough, and says what is done if the review throws or takes too
  /// long. If its policy passes over that, the loop ends as it does after the last review.
  public PlanExecuteReview review(LoopCheck isGood, NodePolicy policy) {
    outline.set("review", Step.of(loop.node(isGood), policy));
    return this;
  }

  /// Sets the node that follows a passed review; the end of the graph unless set.
  public PlanExecuteReview then(String node) {
    then = node;
    return this;
  }

  /// The state of the loop. Declared by [#addTo], written by `review`.
  public Channel<Rounds, Rounds> rounds() {
    return loop.rounds();
  }

  /// The node with which it begins.
  public String entry() {
    return node("plan");
  }

  /// The name of one of its nodes.
  public String node(String place) {
    return outline.node(place);
  }

  /// Adds nodes, edges, the channel [#rounds] and one for the verdict to a graph. What leads to
  /// [#entry] is up to the graph.
  ///
  /// @throws IllegalStateException if it has no `plan`, `execute` or `review`
  public GraphBuilder addTo(GraphBuilder builder) {
    outline.require("plan", "execute", "review");
    outline.addNodes(builder);
    outline.chain(builder, List.of("plan", "execute"), node("review"));
    var again = node("execute");
    var targets = Map.of(Result.PASSED, then, Result.AGAIN, again, Result.EXHAUSTED, exhausted);
    loop.route(builder, node("review"), targets);
    return builder;
  }

  @Override
  public String toString() {
    return "PlanExecuteReview[" + entry() + "]";
  }
}
