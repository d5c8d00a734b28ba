package dev.superstep.model;

import dev.superstep.message.AssistantMessage;

/// A model's reply.
///
/// @param model which model answered; for a recording, the model that was recorded
/// @param source whether the model was asked just now
/// @param receipt what the vendor calls it
public record ChatReply(
    AssistantMessage message,
    Usage usage,
    Finish finish,
    ModelRef model,
    Source source,
    Receipt receipt) {
  /// A reply without a receipt.
  public ChatReply(
      AssistantMessage message, Usage usage, Finish finish, ModelRef model, Source source) {
    this(message, usage, finish, model, source, Receipt.NONE);
  }

  /// The vendor's ids of a reply and of the model that made it; empty where the vendor reports
  /// none.
  ///
  /// @param model the exact name and version that answered, such as `gpt-5.2-2026-01-05`
  public record Receipt(String id, String model) {
    /// No ids.
    public static final Receipt NONE = new Receipt("", "");
  }

  /// Returns a copy with another message.
  public ChatReply withMessage(AssistantMessage other) {
    return new ChatReply(other, usage, finish, model, source, receipt);
  }

  /// Returns a copy from another source.
  public ChatReply withSource(Source other) {
    return new ChatReply(message, usage, finish, model, other, receipt);
  }

  /// Returns a copy with other usage.
  public ChatReply withUsage(Usage other) {
    return new ChatReply(message, other, finish, model, source, receipt);
  }

  /// Returns whether the model goes on when it is asked again with this message at the end: it
  /// paused, said something, and waits for no tool of the caller's.
  public boolean isPaused() {
    return finish == Finish.PAUSED && !message.hasToolCalls() && !message.content().isEmpty();
  }

  /// Why the model stopped.
  public enum Finish {
    /// It was done.
    STOP,
    /// It asks for tools.
    TOOL_CALLS,
    /// It hit the token limit: the text is cut off.
    LENGTH,
    /// The vendor's filter stopped it.
    FILTERED,
    /// It paused its work with tools that run at the vendor. It goes on when it is asked again with
    /// this message at the end of the conversation.
    PAUSED
  }

  /// Where the answer came from.
  public enum Source {
    /// The model was asked.
    LIVE,
    /// The model was asked earlier; this is what it said then.
    RECORDED,
    /// A cache on this side had the answer; nothing is billed.
    CACHED,
    /// A test wrote it.
    SCRIPTED,
    /// The model was asked in a batch of its vendor, at the price of batches.
    BATCHED
  }
}
