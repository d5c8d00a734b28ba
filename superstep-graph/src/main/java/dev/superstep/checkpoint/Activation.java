package dev.superstep.checkpoint;

import java.util.List;

/// Why a node runs.
public sealed interface Activation {
  /// It follows START.
  record Entry() implements Activation {}

  /// An edge leads to it.
  ///
  /// @param from the node before
  record Edge(String from) implements Activation {}

  /// A router chose it.
  ///
  /// @param from the node whose router it was
  record Routed(String from) implements Activation {}

  /// All nodes that it waits for have finished.
  record Joined() implements Activation {}

  /// The tokens that it waits for are there; it takes them.
  ///
  /// @param channels the channels of all its complete triggers, each once
  record Triggered(List<String> channels) implements Activation {
    public Triggered {
      channels = List.copyOf(channels);
    }
  }

  /// A command named it.
  ///
  /// @param from the node that returned the command
  record Commanded(String from) implements Activation {}

  /// It was sent an argument of its own.
  ///
  /// @param from the sending node
  record Sent(String from) implements Activation {}

  /// It asked a question in an earlier superstep, and continues when that is answered.
  ///
  /// @param interrupt the question; its point is where the node continues
  /// @param channels the tokens that it takes when it is done; empty if it was not triggered
  record Resumed(Interrupt interrupt, List<String> channels) implements Activation {
    public Resumed {
      channels = List.copyOf(channels);
    }
  }
}
