package dev.superstep.terminal;

/// Hears of a conversation while a run is at work on it. Called on the thread that runs it, so it
/// must be quick.
@FunctionalInterface
public interface ConversationListener {
  /// The conversation has changed.
  ///
  /// @param line the status line as it is now
  void changed(String line);
}
