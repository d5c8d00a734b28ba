package dev.superstep.catalog;

import dev.superstep.model.ChatModel;
import dev.superstep.model.ChatReply;
import dev.superstep.model.ChatRequest;
import dev.superstep.model.ModelProfile;
import dev.superstep.model.ModelRef;

/// A model of which more is known than it says itself. As safe for many threads as it is.
record ProfiledModel(ChatModel model, ModelProfile profile) implements ChatModel {
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
    return model.stream(request, listener);
  }

  /// What is known of it if what it says itself holds.
  static ModelProfile known(ModelProfile own, ModelEntry entry) {
    var said = new Capabilities(own.has(), own.lacks());
    var both = entry.capabilities().correctedBy(said);
    var listed = entry.profile();
    return new ModelProfile(
        both.has(),
        both.lacks(),
        own.contextWindow().isPresent() ? own.contextWindow() : listed.contextWindow(),
        own.maxOutput().isPresent() ? own.maxOutput() : listed.maxOutput());
  }
}
