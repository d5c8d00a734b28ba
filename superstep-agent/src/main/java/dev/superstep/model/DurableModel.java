package dev.superstep.model;

import dev.superstep.node.NodeContext;
import java.util.Optional;

/// A model inside a node, whose replies are saved with the thread as soon as they arrive: when the
/// node runs again, after a question, a failure or a crash, it is given them and nothing is asked
/// twice. A [dev.superstep.graph.Replay] is given them, too, and tells where the node would ask
/// something else.
///
/// ```java
/// .node("name", (state, context) -> {
///   var reply = DurableModel.in(context, model).call(ChatRequest.of(state.get(MESSAGES)));
///   return Update.of(NAME, reply.message().text());
/// })
/// ```
///
/// Calls are told apart by their order. For the thread of the node, while the node runs.
public final class DurableModel implements ChatModel {
  private static final String NAME = "model";

  private final NodeContext context;
  private final String name;
  private final ChatModel model;
  private int calls;

  private DurableModel(NodeContext context, String name, ChatModel model) {
    this.context = context;
    this.name = name;
    this.model = model;
  }

  /// The only model that a node asks.
  public static DurableModel in(NodeContext context, ChatModel model) {
    return in(context, NAME, model);
  }

  /// A durable model for a node that asks several models, or asks in several places.
  ///
  /// @param name tells its calls from those of the others: `<name> 1`, `<name> 2` and so on are
  ///   steps of the node
  public static DurableModel in(NodeContext context, String name, ChatModel model) {
    return new DurableModel(context, name, model);
  }

  @Override
  public ModelRef ref() {
    return model.ref();
  }

  @Override
  public Optional<ModelIdentity> identity() {
    return model.identity();
  }

  @Override
  public ChatReply call(ChatRequest request) throws InterruptedException {
    return recorded(request, () -> model.call(request));
  }

  /// Like [#call]; a saved reply is not streamed in pieces again.
  @Override
  public ChatReply stream(ChatRequest request, DeltaListener listener) throws InterruptedException {
    return recorded(request, () -> model.stream(request, listener));
  }

  @FunctionalInterface
  private interface ModelInvocation extends java.util.concurrent.Callable<ChatReply> {
    @Override
    ChatReply call() throws InterruptedException;
  }

  private ChatReply published(ChatReply reply) {
    if (context.hasListeners()) context.emit(ModelUse.RECORDED, ModelUse.of(reply));
    return reply;
  }

  private ChatReply recorded(ChatRequest request, ModelInvocation asking)
      throws InterruptedException {
    var key = name + " " + ++calls;
    try {
      return context.call(
          key, RequestKey.of(request).hex(), ChatReply.class, () -> published(asking.call()));
    } catch (InterruptedException | RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new AssertionError("a model throws nothing else", e);
    }
  }

  @Override
  public String toString() {
    return "DurableModel[" + model + "]";
  }
}
