package dev.superstep.spring;

import dev.superstep.agent.run.AgentEvent;
import dev.superstep.event.Event;
import dev.superstep.json.MalformedJson;
import dev.superstep.spring.ClientEvent.How;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Makes events for clients of the events of a run.
final class ClientEvents {
  private ClientEvents() {}

  /// The event for clients, or empty if they are not told of it.
  static Optional<ClientEvent> of(Event event) {
    boolean isOuter = event.origin().path().isEmpty();
    return Optional.ofNullable(
        switch (event) {
          case Event.RunStarted e -> new ClientEvent.Started(e.origin().run(), e.resumed());
          case Event.TextArrived e -> text(e);
          case Event.NodeRetried e -> new ClientEvent.Retracted(e.task());
          case Event.NodeFinished e -> new ClientEvent.Kept(e.task());
          case Event.InterruptRaised e when isOuter -> ClientEvent.Question.of(e.interrupt());
          case Event.InterruptAnswered e when isOuter -> new ClientEvent.Answered(e.interrupt());
          case Event.NodeEmitted _ -> ofAgent(event);
          case Event.RunCompleted _ -> new ClientEvent.Ended(How.COMPLETED, "");
          case Event.RunInterrupted _ -> new ClientEvent.Ended(How.WAITING, "");
          case Event.RunStopped e -> new ClientEvent.Ended(How.STOPPED, e.reason());
          case Event.RunFailed e -> new ClientEvent.Ended(How.FAILED, e.code());
          case Event _ -> null;
        });
  }

  private static ClientEvent text(Event.TextArrived e) {
    var piece = e.piece();
    return new ClientEvent.Text(e.task(), piece.call(), piece.agent(), piece.text());
  }

  private static @Nullable ClientEvent ofAgent(Event event) {
    Optional<AgentEvent> told;
    try {
      told = AgentEvent.of(event);
    } catch (MalformedJson _) {
      // A journal without content does not have it.
      return null;
    }
    if (told.isEmpty()) return null;
    return switch (told.get()) {
      case AgentEvent.ToolStarted(_, var call, var tool) -> new ClientEvent.ToolStarted(call, tool);
      case AgentEvent.ToolCompleted(_, var call, var tool, _) ->
          new ClientEvent.ToolEnded(call, tool, true);
      case AgentEvent.ToolFailed(_, var call, var tool, _) ->
          new ClientEvent.ToolEnded(call, tool, false);
      case AgentEvent _ -> null;
    };
  }
}
