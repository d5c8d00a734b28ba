package dev.superstep.eval.internal;

import dev.superstep.budget.Ledger;
import dev.superstep.model.ChatModel;
import dev.superstep.model.ChatReply;
import dev.superstep.model.ChatRequest;
import dev.superstep.model.ModelIdentity;
import dev.superstep.model.ModelProfile;
import dev.superstep.model.ModelRef;
import dev.superstep.model.TokenCounter;
import java.util.Optional;

/// A model of a judge that spends from a ledger. Safe for many threads.
public record LedgerModel(ChatModel model, Ledger ledger) implements ChatModel {
  @Override
  public ModelRef ref() {
    return model.ref();
  }

  @Override
  public ModelProfile profile() {
    return model.profile();
  }

  @Override
  public Optional<ModelIdentity> identity() {
    return model.identity();
  }

  @Override
  public ChatReply call(ChatRequest request) throws InterruptedException {
    var reserved =
        ledger.reserve(model.ref(), model.profile(), request, TokenCounter.approximate());
    ChatReply reply;
    try {
      reply = model.call(reserved.request());
    } catch (InterruptedException | RuntimeException | Error e) {
      var _ = ledger.fail(reserved, e);
      throw e;
    }
    var _ = ledger.settle(reserved, reply);
    return reply;
  }
}
