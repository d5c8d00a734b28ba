package dev.superstep.model;

/// What a node tells of each reply of a [DurableModel], so also an agent on a graph of each of its
/// own, under the name `usage.recorded`. A reply that was kept and is given again is not told
/// again.
///
/// @param model the URL of the model that answered
public record ModelUse(String model, Usage usage, ChatReply.Source source) {
  /// The name.
  public static final String RECORDED = "usage.recorded";

  /// What a reply used.
  public static ModelUse of(ChatReply reply) {
    return new ModelUse(reply.model().url(), reply.usage(), reply.source());
  }
}
