package dev.superstep.server.internal.run;

import dev.superstep.agent.run.AgentEvent;
import dev.superstep.event.Event;
import dev.superstep.event.Redaction;
import dev.superstep.json.MalformedJson;
import dev.superstep.model.ModelUse;

/// Decides what the journals of a server keep of events: those who watch runs see what they cost
/// and why they failed. Values, texts, questions and answers are left out, as the states have them.
final class JournalContent {
  private static final Redaction REST = Redaction.payloads();

  private JournalContent() {}

  /// Takes out of an event what is not kept.
  static Event of(Event event) {
    return switch (event) {
      case Event.NodeFailed _, Event.NodeRetried _, Event.RunFailed _, Event.RunStopped _ -> event;
      case Event.NodeEmitted told when hasFigures(told) -> event;
      default -> REST.of(event);
    };
  }

  /// The events of agents hold counts, names and times; except for two, which hold text.
  private static boolean hasFigures(Event.NodeEmitted told) {
    try {
      if (told.name().equals(ModelUse.RECORDED)) {
        return told.payload().as(ModelUse.class).usage().total() >= 0;
      }
      return AgentEvent.of(told).filter(JournalContent::hasNoText).isPresent();
    } catch (MalformedJson _) {
      return false; // a program's own event of the same name
    }
  }

  private static boolean hasNoText(AgentEvent told) {
    return !(told instanceof AgentEvent.ModelDelta) && !(told instanceof AgentEvent.ToolProgress);
  }
}
