package dev.superstep.batch;

import dev.superstep.message.AssistantMessage;
import dev.superstep.middleware.AgentContext;
import dev.superstep.middleware.Middleware;
import dev.superstep.model.ChatReply;
import dev.superstep.model.ChatRequest;
import dev.superstep.model.Usage;
import dev.superstep.node.Question;
import java.util.List;

/// Has an agent ask its model in batches. Each turn waits in its thread until its batch is done; so
/// the agent's runs are saved, and end as waiting. Add it after middleware that changes requests.
///
/// ```java
/// Agent.named("reviews").model(model).middleware(Batched.by(batches))
/// ```
///
/// The model of the agent is asked nothing; it should be the one of the batches, for its profile. A
/// limit of the budget is checked before a request is queued, and its cost counts, at the price of
/// batches, when its reply is there. The time limit of an agent goes on while it waits. Immutable.
public final class Batched implements Middleware {
  private final ModelBatches batches;

  private Batched(ModelBatches batches) {
    this.batches = batches;
  }

  /// An agent whose turns are requests of these batches.
  public static Batched by(ModelBatches batches) {
    return new Batched(batches);
  }

  @Override
  public Touches touches() {
    return Touches.METADATA;
  }

  @Override
  public List<Question<?, ?>> questions() {
    return List.of(BatchWait.QUESTION);
  }

  @Override
  public ChatReply aroundModel(ChatRequest request, AgentContext context, ModelNext next)
      throws Exception {
    var model = BatchModel.in(context.node(), batches);
    if (!model.isReady(request)) checkBudget(request, context);
    var reply = model.call(request);
    context.model(new ArrivedReply(reply, context.profile()));
    return next.call(request);
  }

  /// Reserves what the call may take, and gives it back: nothing may be held for hours.
  private void checkBudget(ChatRequest request, AgentContext context) throws InterruptedException {
    var ledger = context.ledger();
    var ref = batches.api().ref();
    var held = ledger.reserve(ref, context.profile(), request, context.counter());
    var nothing = new AssistantMessage("", "", List.of());
    var _ =
        ledger.settle(
            held,
            new ChatReply(
                nothing, Usage.NONE, ChatReply.Finish.STOP, ref, ChatReply.Source.CACHED));
  }

  @Override
  public String toString() {
    return "Batched[" + batches + "]";
  }
}
