package dev.superstep.terminal;

import dev.superstep.graph.Graph;
import dev.superstep.node.ContextKey;
import dev.superstep.node.NodeResult;
import dev.superstep.terminal.approval.Approvals;
import dev.superstep.terminal.state.ConversationEvent;

/// The workflow as a graph: plan, gate, and for each step generate, assess, approve, run and judge.
/// Where a conversation stands is where its thread stands; what it waits for is the open question.
///
/// Most users start at [Terminal], which opens sessions and conversations on it.
public final class TerminalWorkflow {
  static final String PLAN = "plan";
  static final String GATE = "gate";
  static final String PROCEED = "proceed";
  static final String GENERATE = "generate";
  static final String CLARIFY = "clarify";
  static final String ASSESS = "assess";
  static final String APPROVE = "approve";
  static final String ALTERNATIVE = "alternative";
  static final String EXPLAIN = "explain";
  static final String RUN = "run";
  static final String JUDGE = "judge";
  static final String RECOVER = "recover";
  static final String ERROR = "error";

  /// The session in which a conversation runs its commands.
  static final ContextKey<SessionShell> SHELL = ContextKey.of("session", SessionShell.class);

  private static final int STEPS_MAX = 5_000;

  private TerminalWorkflow() {}

  /// The graph. Runs on it are given a session by [Terminal].
  ///
  /// @param approvals those of this process
  public static Graph graph(TerminalParts parts, Approvals approvals) {
    var quiet = new QuietNodes(parts.redact());
    var asking = new PersonNodes(parts);
    var models = new ModelNodes(parts);
    var commands = new CommandNodes(parts, approvals);
    return Graph.named("terminal")
        .channels(
            WorkflowState.INFO,
            WorkflowState.PROGRESS,
            WorkflowState.HISTORY,
            WorkflowState.ATTEMPTS,
            WorkflowState.NOTES,
            WorkflowState.CANDIDATES,
            WorkflowState.REQUEST,
            WorkflowState.APPROVED,
            WorkflowState.ASKED,
            WorkflowState.FAILURE,
            WorkflowState.SPENT,
            WorkflowState.SECRET)
        .questions(
            WorkflowState.PLAN,
            WorkflowState.NEXT_STEP,
            WorkflowState.COMMAND,
            WorkflowState.CLARIFY,
            WorkflowState.RECOVER,
            WorkflowState.RETRY)
        .stepLimit(STEPS_MAX)
        .edge(Graph.START, PLAN)
        .node(PLAN, quiet.node(models::plan))
        .destinations(PLAN, GATE, ERROR, Graph.END)
        .node(GATE, quiet.node(asking::gate))
        .destinations(GATE, GATE, PLAN, GENERATE, Graph.END)
        .node(PROCEED, quiet.node(asking::proceed))
        .destinations(PROCEED, GENERATE, PROCEED, Graph.END)
        .node(GENERATE, quiet.node(models::generate))
        .destinations(GENERATE, ASSESS, CLARIFY, PROCEED, ERROR, Graph.END)
        .node(CLARIFY, quiet.node(asking::clarify))
        .destinations(CLARIFY, GENERATE, Graph.END)
        .node(ASSESS, quiet.node(commands::assess))
        .destinations(ASSESS, APPROVE, RUN, RECOVER, Graph.END)
        .node(APPROVE, quiet.node(asking::approve))
        .destinations(
            APPROVE, RUN, ASSESS, APPROVE, ALTERNATIVE, EXPLAIN, GENERATE, PROCEED, Graph.END)
        .node(ALTERNATIVE, quiet.node(models::alternative))
        .destinations(ALTERNATIVE, ASSESS, ERROR, Graph.END)
        .node(EXPLAIN, quiet.node(models::explain))
        .destinations(EXPLAIN, APPROVE, ASSESS, Graph.END)
        .node(RUN, quiet.node(commands::run))
        .destinations(RUN, ASSESS, JUDGE, Graph.END)
        .node(JUDGE, quiet.node(commands::judge))
        .destinations(JUDGE, GENERATE, PROCEED, RECOVER, Graph.END)
        .node(RECOVER, quiet.node(asking::recover))
        .destinations(RECOVER, GENERATE, ASSESS, PROCEED, RECOVER, Graph.END)
        .node(ERROR, quiet.node(asking::error))
        .destinations(ERROR, PLAN, GENERATE, ALTERNATIVE, EXPLAIN, Graph.END)
        .compile();
  }

  /// The result that the node that is due would return if the conversation were aborted there.
  static NodeResult aborted() {
    var event = new ConversationEvent.Aborted();
    return dev.superstep.node.Command.to(Graph.END)
        .with(
            dev.superstep.node.Update.of(WorkflowState.PROGRESS, event)
                .and(WorkflowState.HISTORY, event));
  }
}
