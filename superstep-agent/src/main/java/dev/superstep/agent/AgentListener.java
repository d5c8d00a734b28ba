package dev.superstep.agent;

/// Hears what happens in a run of an agent, one event at a time, while it happens: the run waits.
/// An exception from a listener is logged and changes nothing.
@FunctionalInterface
public interface AgentListener {
  /// Hears nothing.
  AgentListener NONE = _ -> {};

  /// The next event.
  void on(AgentEvent event);

  /// Whether the model's text should come in pieces, as [AgentEvent.TextArrived].
  default boolean wantsText() {
    return false;
  }

  /// The same listener, with text in pieces.
  static AgentListener withText(AgentListener listener) {
    return new AgentListener() {
      @Override
      public void on(AgentEvent event) {
        listener.on(event);
      }

      @Override
      public boolean wantsText() {
        return true;
      }
    };
  }
}
