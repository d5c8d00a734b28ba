package dev.superstep.model;

/// A language model that answers a conversation. Calls block the (virtual) thread that makes them;
/// interrupting the thread cancels the call. Implementations are safe for many threads.
///
/// Implementations must pass `ChatModelSuite` of the test kit.
public interface ChatModel {
  /// Which model this is, for events, reports and prices.
  ModelRef ref();

  /// Asks once and waits for the whole reply.
  ///
  /// @throws ModelException typed by [ModelException.Kind]
  /// @throws InterruptedException if the calling thread is interrupted
  ChatReply call(ChatRequest request) throws InterruptedException;

  /// Asks once and hands over the reply in pieces as they arrive. The merged pieces equal what
  /// [#call] returns; a model that cannot stream gives the whole text as one piece.
  ///
  /// @throws ModelException typed by [ModelException.Kind]
  /// @throws InterruptedException if the calling thread is interrupted
  default ChatReply stream(ChatRequest request, DeltaListener listener)
      throws InterruptedException {
    var reply = call(request);
    if (!reply.message().text().isEmpty()) listener.onText(reply.message().text());
    return reply;
  }

  /// Hears the text of a reply while it is made. Called by one thread, in order.
  @FunctionalInterface
  interface DeltaListener {
    /// The next piece of text; never empty.
    void onText(String text);
  }
}
