package dev.superstep.batch;

import dev.superstep.model.ChatModel;
import dev.superstep.model.ChatReply;
import dev.superstep.model.ChatRequest;
import dev.superstep.model.ModelProfile;
import dev.superstep.model.ModelRef;

/// A model that gives a reply that is there already, so that it is counted and told like any other.
/// Immutable.
record ArrivedReply(ChatReply reply, ModelProfile profile) implements ChatModel {
  @Override
  public ModelRef ref() {
    return reply.model();
  }

  @Override
  public ChatReply call(ChatRequest request) {
    return reply;
  }
}
