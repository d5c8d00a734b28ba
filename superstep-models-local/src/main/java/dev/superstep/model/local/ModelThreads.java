package dev.superstep.model.local;

/// The one place of this module where threads start: daemons that drain a pipe until it closes.
final class ModelThreads {
  private ModelThreads() {}

  /// Starts `drain` under `superstep-llama-` plus `pipe`. Platform threads: a read of a pipe would
  /// pin the carrier of a virtual one.
  static Thread start(String pipe, Runnable drain) {
    return Thread.ofPlatform().daemon().name("superstep-llama-" + pipe).start(drain);
  }
}
