package dev.superstep.testkit.junit;

import dev.superstep.model.ChatModel;
import dev.superstep.model.ChatReply;
import dev.superstep.model.ChatRequest;
import dev.superstep.model.ModelException;
import dev.superstep.model.ModelRef;
import dev.superstep.model.RecordedModel;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/// A recording that remembers what it could not answer: an agent may well survive that, by asking
/// another model or by telling the one above, but its test must not. Safe for many threads.
final class CassetteModel implements ChatModel {
  private final RecordedModel recorded;
  private final List<String> misses = new CopyOnWriteArrayList<>();

  CassetteModel(RecordedModel recorded) {
    this.recorded = recorded;
  }

  List<String> misses() {
    return List.copyOf(misses);
  }

  @Override
  public ModelRef ref() {
    return recorded.ref();
  }

  @Override
  public ChatReply call(ChatRequest request) throws InterruptedException {
    try {
      return recorded.call(request);
    } catch (ModelException e) {
      misses.add(String.valueOf(e.getMessage()));
      throw e;
    }
  }
}
