package dev.superstep.eval.internal;

import dev.superstep.budget.Prices;
import dev.superstep.budget.Spend;
import dev.superstep.lock.Mutex;
import dev.superstep.model.ChatModel;
import dev.superstep.model.ChatReply;
import dev.superstep.model.ChatRequest;
import dev.superstep.model.ModelIdentity;
import dev.superstep.model.ModelProfile;
import dev.superstep.model.ModelRef;
import java.math.BigDecimal;
import java.util.Optional;

/// Counts what models use, saved replies that are given again included. Safe for many threads.
public final class SpendCount {
  private final Mutex lock = new Mutex();
  private final Prices prices;
  private Spend spent = Spend.NONE;

  /// Begins at nothing.
  ///
  /// @param prices what calls cost
  public SpendCount(Prices prices) {
    this.prices = prices;
  }

  /// Returns the model, with its calls counted here.
  public ChatModel counting(ChatModel model) {
    return new Counted(model, this);
  }

  /// The sum so far.
  public Spend spent() {
    try (var _ = lock.hold()) {
      return spent;
    }
  }

  private ChatReply add(ChatReply reply) {
    var cost = prices.cost(reply.model(), reply.usage()).orElse(BigDecimal.ZERO);
    try (var _ = lock.hold()) {
      spent = spent.plus(new Spend(1, reply.usage(), cost));
    }
    return reply;
  }

  /// A model whose replies are counted.
  private record Counted(ChatModel model, SpendCount count) implements ChatModel {
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
      return count.add(model.call(request));
    }
  }
}
