package dev.superstep.model;

/// A source of profiles beside the models themselves, such as a catalogue. Found by
/// [java.util.ServiceLoader] where [ModelProviders] opens models. Implementations are immutable and
/// have a public constructor without arguments.
public interface ModelProfiles {
  /// Adds to a model's profile what this source knows and the model does not say itself. Reads
  /// nothing before the profile is asked for.
  ChatModel profiled(ChatModel model);
}
