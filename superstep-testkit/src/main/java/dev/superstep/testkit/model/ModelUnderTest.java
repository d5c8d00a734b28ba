package dev.superstep.testkit.model;

import dev.superstep.model.ChatModel;

/// A model and the server that it asks.
///
/// @param key the key that the model was opened with; empty if its protocol has none
/// @param features what the vendor's protocol can carry
public record ModelUnderTest(ChatModel model, ModelServer server, String key, Features features)
    implements AutoCloseable {

  /// What a protocol can carry; an adapter need not invent what is not sent.
  ///
  /// @param callIds whether tool calls have ids of the vendor's making
  /// @param rawArguments whether whole replies carry arguments as text, which may be malformed
  /// @param streamedRawArguments the same of streams
  /// @param cachedInput whether tokens read from a cache are counted
  /// @param reasoning whether tokens of hidden reasoning are counted
  public record Features(
      boolean callIds,
      boolean rawArguments,
      boolean streamedRawArguments,
      boolean cachedInput,
      boolean reasoning) {}

  @Override
  public void close() {
    server.close();
  }
}
