/// The agent harness: messages, models, structured output, tools and the model-tools loop.
///
/// Start at [dev.superstep.agent.Agent] for a loop with tools, at
/// [dev.superstep.model.StructuredCall] for one typed answer, and at
/// [dev.superstep.model.ChatModel] for the seam to a vendor.
@org.jspecify.annotations.NullMarked
module dev.superstep.agent {
  requires transitive dev.superstep.graph;
  requires com.fasterxml.jackson.annotation;
  requires com.networknt.schema;
  requires java.net.http;
  requires tools.jackson.databind;

  uses dev.superstep.model.ModelProfiles;
  uses dev.superstep.model.ModelProvider;

  provides dev.superstep.model.ModelProfiles with
      dev.superstep.catalog.CatalogProfiles;

  exports dev.superstep.agent;
  exports dev.superstep.agent.run;
  exports dev.superstep.agent.status;
  exports dev.superstep.agent.steering;
  exports dev.superstep.batch;
  exports dev.superstep.budget;
  exports dev.superstep.catalog;
  exports dev.superstep.credential;
  exports dev.superstep.message;
  exports dev.superstep.middleware;
  exports dev.superstep.middleware.hosted;
  exports dev.superstep.model;
  exports dev.superstep.model.dialect;
  exports dev.superstep.program;
  exports dev.superstep.prompt;
  exports dev.superstep.schema;
  exports dev.superstep.tool;
  exports dev.superstep.tool.search;

  // Hidden records of these packages are stored as JSON.
  opens dev.superstep.agent.internal.loop to
      tools.jackson.databind;
  opens dev.superstep.agent.internal.state to
      tools.jackson.databind;
  opens dev.superstep.batch to
      tools.jackson.databind;
  opens dev.superstep.catalog to
      tools.jackson.databind;
  opens dev.superstep.credential to
      tools.jackson.databind;
  opens dev.superstep.middleware to
      tools.jackson.databind;
  opens dev.superstep.model to
      tools.jackson.databind;
  opens dev.superstep.tool to
      tools.jackson.databind;
  opens dev.superstep.tool.search to
      tools.jackson.databind;
}
