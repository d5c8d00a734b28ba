package dev.superstep.cli.rlm;

import java.util.List;
import java.util.Optional;

/// The arguments of `superstep rlm ask`. Immutable.
///
/// @param question empty if a thread is resumed
/// @param resumed the thread that goes on; empty for a new one
/// @param contexts the files and folders that the question is about
/// @param config the file with the settings of the run
public record AskRequest(
    String question,
    String resumed,
    List<String> contexts,
    Models models,
    Places places,
    Optional<String> config,
    Most most,
    boolean consents,
    boolean debug) {
  public AskRequest {
    contexts = List.copyOf(contexts);
  }

  /// The models, by URL.
  ///
  /// @param driver writes the cells
  /// @param leaf is asked by the cells; the driver unless named
  public record Models(Optional<String> driver, Optional<String> leaf) {}

  /// The places of what is kept.
  ///
  /// @param trajectory the folder for the cells that ran
  public record Places(Optional<String> store, Optional<String> trajectory) {}

  /// The limits that were typed; the others are those of the configuration, or standard.
  ///
  /// @param direct texts of at most so many tokens are read by the model itself
  public record Most(
      Optional<Integer> turns,
      Optional<Integer> calls,
      Optional<Integer> depth,
      Optional<Long> tokens,
      Optional<Integer> direct) {}
}
