package dev.superstep.rag.internal.node;

import dev.superstep.model.ChatModel;
import dev.superstep.model.ChatReply;
import dev.superstep.model.ChatRequest;
import dev.superstep.model.ModelRef;
import dev.superstep.rag.error.RagError;

/// Stands where a node has a script and no model: the script has to answer. Immutable.
record ScriptAlone(String node) implements ChatModel {
  @Override
  public ModelRef ref() {
    return new ModelRef("script", node);
  }

  @Override
  public ChatReply call(ChatRequest request) {
    throw new RagError(
        "rag.no-answer",
        "the script of node `"
            + node
            + "` ended without an answer, and it has no model that could go on: "
            + request.messages().getLast().text());
  }
}
