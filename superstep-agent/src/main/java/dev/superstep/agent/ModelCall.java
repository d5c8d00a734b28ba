package dev.superstep.agent;

import dev.superstep.event.TextPiece;
import dev.superstep.message.Message;
import dev.superstep.model.ChatModel;
import dev.superstep.model.ChatReply;
import dev.superstep.model.ChatRequest;
import dev.superstep.model.DurableModel;
import dev.superstep.model.ModelRef;
import dev.superstep.node.Node;
import dev.superstep.node.NodeContext;
import dev.superstep.node.Update;
import dev.superstep.state.Channel;
import dev.superstep.tool.Tools;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// Asks a model for the next message of a conversation, with instructions and tools. One step of an
/// agent, and usable as a graph node.
///
/// Immutable, safe for many threads; the `with` methods return changed copies.
public final class ModelCall {
  private final ChatModel model;
  private final String instructions;
  private final Tools tools;
  private final UnaryOperator<ChatRequest> request;

  private ModelCall(
      ChatModel model, String instructions, Tools tools, UnaryOperator<ChatRequest> request) {
    this.model = model;
    this.instructions = instructions;
    this.tools = tools;
    this.request = request;
  }

  /// A call without instructions and tools.
  public static ModelCall of(ChatModel model) {
    return new ModelCall(model, "", Tools.none(), UnaryOperator.identity());
  }

  /// Returns a copy with instructions, which the model gets before the conversation and which are
  /// not part of it.
  public ModelCall withInstructions(String text) {
    return new ModelCall(model, text, tools, request);
  }

  /// Returns a copy with tools that the model may call.
  public ModelCall withTools(Tools offered) {
    return new ModelCall(model, instructions, offered, request);
  }

  /// Changes each request before it is sent, such as `r -> r.withTemperature(0)`.
  public ModelCall withRequest(UnaryOperator<ChatRequest> change) {
    return new ModelCall(model, instructions, tools, change);
  }

  /// Asks another model.
  public ModelCall withModel(ChatModel other) {
    return new ModelCall(other, instructions, tools, request);
  }

  /// Asks and waits.
  ///
  /// @throws InterruptedException if the calling thread is interrupted
  public ChatReply run(List<? extends Message> conversation) throws InterruptedException {
    return run(conversation, null, null);
  }

  /// A graph node that asks and adds the reply to a conversation. Meanwhile it publishes the text
  /// as [dev.superstep.event.Event.TextArrived]. The reply is saved as soon as it arrives:
  /// [DurableModel].
  public Node on(Channel<List<Message>, Message> conversation) {
    return (state, context) -> {
      var name = model().toString();
      ChatModel.DeltaListener texts =
          text -> {
            context.heartbeat();
            if (context.hasListeners()) context.emitText(new TextPiece("", name, 1, text));
          };
      var kept = durable(context, "model");
      return Update.of(conversation, kept.run(state.get(conversation), null, texts).message());
    };
  }

  /// Returns a copy for use inside a node, whose replies are saved.
  ModelCall durable(NodeContext context, String name) {
    return withModel(DurableModel.in(context, name, model));
  }

  /// Which model is asked.
  ModelRef model() {
    return model.ref();
  }

  /// Asks within a time, and hands over text as it arrives where somebody listens.
  ChatReply run(
      List<? extends Message> conversation,
      @Nullable Duration limit,
      ChatModel.@Nullable DeltaListener listener)
      throws InterruptedException {
    var messages = new ArrayList<Message>(conversation.size() + 1);
    if (!instructions.isBlank()) messages.add(Message.system(instructions));
    messages.addAll(conversation);
    var asked = request.apply(ChatRequest.of(messages).withTools(tools.specs()));
    if (limit != null && limit.compareTo(asked.timeout()) < 0) asked = asked.withTimeout(limit);
    return listener == null ? model.call(asked) : model.stream(asked, listener);
  }

  @Override
  public String toString() {
    return "ModelCall[" + model.ref() + "]";
  }
}
