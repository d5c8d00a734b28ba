package dev.superstep.model.dialect;

import dev.superstep.model.ChatModel;
import dev.superstep.model.ChatReply;
import dev.superstep.model.ChatRequest;
import dev.superstep.model.ModelRef;

/// Says what another model says, one letter at a time.
record Letters(ChatModel model) implements ChatModel {
  @Override
  public ModelRef ref() {
    return model.ref();
  }

  @Override
  public ChatReply call(ChatRequest request) throws InterruptedException {
    return model.call(request);
  }

  @Override
  public ChatReply stream(ChatRequest request, DeltaListener listener) throws InterruptedException {
    var reply = model.call(request);
    reply.message().text().chars().forEach(c -> listener.onText(Character.toString(c)));
    return reply;
  }
}
