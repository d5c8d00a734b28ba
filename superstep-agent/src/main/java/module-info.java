/// The agent harness: messages, models, structured output, tools and the model-tools loop.
///
/// Start at [dev.superstep.agent.Agent] for a loop with tools, at
/// [dev.superstep.model.StructuredCall] for one typed answer, and at
/// [dev.superstep.model.ChatModel] for the seam to a vendor. For answers from documents, start at
/// [dev.superstep.retrieval.VectorIndex]; for tools on files, at
/// [dev.superstep.workspace.Workspace]; for work over many runs, at [dev.superstep.goal.GoalLoop]
/// and [dev.superstep.board.Board].
@org.jspecify.annotations.NullMarked
module dev.superstep.agent {
  requires transitive dev.superstep.graph;
  requires transitive java.net.http;
  requires com.fasterxml.jackson.annotation;
  requires com.networknt.schema;
  requires tools.jackson.databind;

  uses dev.superstep.model.ModelProvider;

  exports dev.superstep.agent;
  exports dev.superstep.board;
  exports dev.superstep.budget;
  exports dev.superstep.catalog;
  exports dev.superstep.flow;
  exports dev.superstep.goal;
  exports dev.superstep.message;
  exports dev.superstep.middleware;
  exports dev.superstep.model;
  exports dev.superstep.model.dialect;
  exports dev.superstep.program;
  exports dev.superstep.registry;
  exports dev.superstep.retrieval;
  exports dev.superstep.schema;
  exports dev.superstep.team;
  exports dev.superstep.tool;
  exports dev.superstep.workspace;

  opens dev.superstep.catalog to
      tools.jackson.databind;
}
