package dev.superstep.model;

/// The event that a node emits for each reply of a [DurableModel], and so for agents as well, under
/// the name `usage.recorded`. A saved reply that is given again is not reported again.
///
/// @param model the URL of the model that answered
public record ModelUse(String model, Usage usage, ChatReply.Source source) {
  /// The name.
  public static final String RECORDED = "usage.recorded";

  /// The use by a reply.
  public static ModelUse of(ChatReply reply) {
    return new ModelUse(reply.model().url(), reply.usage(), reply.source());
  }
}
