package dev.superstep.rag.review;

import dev.superstep.checkpoint.LeaseLost;
import dev.superstep.checkpoint.StoreFailed;
import dev.superstep.graph.Graph;
import dev.superstep.graph.Subgraph;
import dev.superstep.json.Json;
import dev.superstep.json.SuperstepException;
import dev.superstep.node.Command;
import dev.superstep.node.NodeContext;
import dev.superstep.node.NodeResult;
import dev.superstep.node.Update;
import dev.superstep.rag.RagGraph;
import dev.superstep.rag.review.GraphProposals.Arguments;
import dev.superstep.run.Input;
import dev.superstep.state.Channel;
import dev.superstep.state.State;
import dev.superstep.tool.ToolGate;
import dev.superstep.tool.ToolGraph;
import dev.superstep.tool.ToolResult;

/// A proposal as a graph inside the agent that makes it: a person reviews the text, then the graph
/// that it describes runs inside. Each of the two is a superstep, so what finished is kept.
/// Immutable.
final class ProposalGraph implements ToolGraph {
  private static final String REVIEW = "review";
  private static final String RUN = "run";
  private static final Channel<Arguments, Arguments> PROPOSED =
      Channel.latest("proposed", Arguments.class);
  private static final Channel<Told, Told> TOLD = Channel.latest("told", Told.class);

  private final GraphProposals proposals;
  private final Graph graph;

  /// The answer to the call.
  record Told(String text, boolean isError) {}

  ProposalGraph(GraphProposals proposals) {
    this.proposals = proposals;
    this.graph =
        Graph.named("proposal")
            .channels(PROPOSED, TOLD)
            .questions(Proposal.QUESTION, GraphProposals.INNER)
            .node(REVIEW, this::review)
            .node(RUN, Subgraph.chosen(GraphProposals.INNER, this::run))
            .edge(Graph.START, REVIEW)
            .destinations(REVIEW, RUN, Graph.END)
            .edge(RUN, Graph.END)
            .compile();
  }

  /// The gates of an agent are for the tools that it calls itself; what a proposed graph may use is
  /// said by the host, beside the proposals.
  @Override
  public ToolGraph within(ToolGate gate) {
    return this;
  }

  @Override
  public Graph graph() {
    return graph;
  }

  @Override
  public Input input(Json arguments) {
    return Input.of(PROPOSED, arguments.as(Arguments.class));
  }

  @Override
  public ToolResult result(State end) {
    var told = end.get(TOLD);
    return told.isError() ? ToolResult.error(told.text()) : ToolResult.of(told.text());
  }

  private static Update failed(String why) {
    return Update.of(TOLD, new Told(why, true));
  }

  private NodeResult review(State state, NodeContext context) throws Exception {
    var refused = proposals.review(state.get(PROPOSED), context);
    return refused.isEmpty() ? Command.to(RUN) : Command.to(Graph.END).with(failed(refused.get()));
  }

  private NodeResult run(
      State from, State state, NodeContext context, Subgraph.Invocation<State> within)
      throws InterruptedException {
    var arguments = state.get(PROPOSED);
    try {
      var made = proposals.opened(arguments);
      var inside =
          Subgraph.<State>of(
              made.graph(),
              _ -> made.input(Json.parse(arguments.input())),
              end -> Update.of(TOLD, output(made, end)));
      return made.nested(within.choosing(inside), context).run(from);
    } catch (StoreFailed | LeaseLost e) {
      throw e;
    } catch (SuperstepException | IllegalArgumentException e) {
      return failed("The run failed: " + e.getMessage());
    }
  }

  private static Told output(RagGraph made, State end) {
    return new Told(made.output(end).text(), false);
  }
}
