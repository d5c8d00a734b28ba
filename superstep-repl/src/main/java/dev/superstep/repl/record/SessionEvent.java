package dev.superstep.repl.record;

import dev.superstep.event.Event;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// An event of a session, as listeners, streams and the journal of its run have it: the origin of
/// the event tells run, node and task, and of a session inside of another one where that runs.
///
/// ```java
/// options.listener(event -> SessionEvent.of(event).ifPresent(this::show));
/// ```
public sealed interface SessionEvent {
  /// The run of the agent that the session belongs to.
  String run();

  /// A cell begins; the first begins the session.
  ///
  /// @param cell from 1
  record CellStarted(String run, int cell, String source) implements SessionEvent {}

  /// A call of a cell begins. One whose result was saved before the process died has no event
  /// again.
  ///
  /// @param call its number in the cell, from 1
  /// @param item its number in the batch, from 1; 0 if it is in none
  /// @param kind such as `model`, `tool`, `agent`, `graph`
  record CallStarted(String run, int cell, int call, int item, String kind, String name)
      implements SessionEvent {}

  /// A call of a cell has ended.
  ///
  /// @param code of an error that a script can catch; empty if there was none
  record CallCompleted(
      String run,
      int cell,
      int call,
      int item,
      String kind,
      String name,
      String code,
      CallCost cost)
      implements SessionEvent {}

  /// A cell has ended.
  ///
  /// @param code of the error that ended it; empty if it ran to its end
  /// @param output what the model is shown of what it printed
  /// @param changed the variables that it changed, without their values
  record CellCompleted(
      String run, int cell, String code, String output, List<CellRecord.Changed> changed)
      implements SessionEvent {
    public CellCompleted {
      changed = List.copyOf(changed);
    }
  }

  /// A cell has answered the question of the run.
  record Answered(String run, int cell) implements SessionEvent {}

  /// The name under which it is emitted.
  default String type() {
    return switch (this) {
      case CellStarted _ -> "repl.cell.started";
      case CallStarted _ -> "repl.call.started";
      case CallCompleted _ -> "repl.call.completed";
      case CellCompleted _ -> "repl.cell.completed";
      case Answered _ -> "repl.answered";
    };
  }

  /// The event of a session that an event of a graph carries, if it carries one.
  static Optional<SessionEvent> of(Event event) {
    if (!(event instanceof Event.NodeEmitted emitted)) return Optional.empty();
    var type = Types.BY_NAME.get(emitted.name());
    return type == null ? Optional.empty() : Optional.of(emitted.payload().as(type));
  }

  /// The types of all events by their names.
  final class Types {
    private static final Map<String, Class<? extends SessionEvent>> BY_NAME =
        Map.of(
            "repl.cell.started", CellStarted.class,
            "repl.call.started", CallStarted.class,
            "repl.call.completed", CallCompleted.class,
            "repl.cell.completed", CellCompleted.class,
            "repl.answered", Answered.class);

    private Types() {}
  }
}
