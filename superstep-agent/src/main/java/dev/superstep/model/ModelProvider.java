package dev.superstep.model;

import java.util.Set;

/// Opens the models of some schemes, such as `acme` in `acme://small`. Found by
/// [java.util.ServiceLoader] where models are opened by [ModelProviders], and by the command among
/// the classes of a program. Implementations are immutable and have a public constructor without
/// arguments; they must pass `ModelProviderSuite` of the test kit.
public interface ModelProvider {
  /// The rank of adapters over a shared client library.
  int SMALL = 0;

  /// The rank of adapters over the vendor's own library.
  int OFFICIAL = 100;

  /// The schemes of the model URLs that it opens, such as `openai`, in lower case. Of Superstep's
  /// own, `local`, `scripted` and `recorded` mean the same to the command whoever claims them.
  Set<String> schemes();

  /// Of several providers for a scheme, the one with the highest rank opens its models: so an
  /// [#OFFICIAL] adapter outranks a [#SMALL] one by being on the path.
  int rank();

  /// Opens a model. Sends nothing.
  ///
  /// @throws ModelException of kind BAD_URL, or of kind AUTH if the vendor's key is not set
  ChatModel open(ModelRef ref, Environment environment);
}
