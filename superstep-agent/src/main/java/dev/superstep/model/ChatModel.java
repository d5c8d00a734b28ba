package dev.superstep.model;

import java.util.Optional;

/// A language model that answers a conversation. Calls block the (virtual) thread that makes them;
/// interrupting the thread cancels the call. Implementations are safe for many threads.
///
/// Implementations must pass `ChatModelSuite` of the test kit.
public interface ChatModel {
  /// Which model this is, for events, reports and prices.
  ModelRef ref();

  /// The profile of the model, before it is asked.
  default ModelProfile profile() {
    return ModelProfile.UNKNOWN;
  }

  /// The identity that tells this model from others of its name, so that its replies may be shared
  /// among those who ask it. Empty if it cannot say; then it has no part in a cache of replies,
  /// unless the user of the cache gives it a space of its own.
  ///
  /// One that changes what another model is asked or says has another identity.
  default Optional<ModelIdentity> identity() {
    return Optional.empty();
  }

  /// Asks once and waits for the whole reply.
  ///
  /// @throws ModelException typed by [ModelException.Kind]
  /// @throws InterruptedException if the calling thread is interrupted
  ChatReply call(ChatRequest request) throws InterruptedException;

  /// Asks once and hands over the reply in pieces as they arrive. The merged pieces equal what
  /// [#call] returns; a model that cannot stream gives all of it in one piece.
  ///
  /// @throws ModelException typed by [ModelException.Kind]
  /// @throws InterruptedException if the calling thread is interrupted
  default ChatReply stream(ChatRequest request, DeltaListener listener)
      throws InterruptedException {
    var reply = call(request);
    listener.onReply(reply);
    return reply;
  }

  /// Hears a reply while it is made. Called by one thread, in order; no piece is empty.
  @FunctionalInterface
  interface DeltaListener {
    /// The next piece of text.
    void onText(String text);

    /// The next piece of what the model thinks before it speaks, where the vendor tells it.
    default void onThinking(String text) {}

    /// The next piece of a tool call.
    default void onToolCall(ToolCallPiece piece) {}

    /// A whole reply as one piece of each.
    default void onReply(ChatReply reply) {
      var message = reply.message();
      if (!message.thinking().isEmpty()) onThinking(message.thinking());
      if (!message.text().isEmpty()) onText(message.text());
      for (int i = 0; i < message.calls().size(); i++) {
        var call = message.calls().get(i);
        onToolCall(new ToolCallPiece(i, call.id(), call.tool(), call.arguments()));
      }
    }
  }

  /// A piece of a tool call that is being made.
  ///
  /// @param index counts the calls of the reply, from 0
  /// @param id empty until the vendor sends it
  /// @param tool empty until the vendor sends it
  /// @param arguments what is to be added to the arguments so far
  record ToolCallPiece(int index, String id, String tool, String arguments) {}
}
