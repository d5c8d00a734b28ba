package dev.superstep.model;

import java.util.Set;

/// Opens the models of some schemes. Found by [java.util.ServiceLoader] where models are opened by
/// [ModelProviders]. Implementations are immutable and have a public constructor without arguments.
public interface ModelProvider {
  /// What adapters over a shared client library say.
  int SMALL = 0;

  /// What adapters over the vendor's own library say.
  int OFFICIAL = 100;

  /// The schemes of the model URLs that it opens, such as `openai`.
  Set<String> schemes();

  /// Of several providers for a scheme, the one with the highest rank opens its models: so an
  /// [#OFFICIAL] adapter outranks a [#SMALL] one by being on the path.
  int rank();

  /// Opens a model. Sends nothing.
  ///
  /// @throws ModelException of kind BAD_URL, or of kind AUTH if the vendor's key is not set
  ChatModel open(ModelRef ref, Environment environment);
}
