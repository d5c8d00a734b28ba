package dev.superstep.workspace;

import dev.superstep.event.Event;
import dev.superstep.sandbox.Tier;
import java.util.Optional;

/// An event of a [Workspace], published to its listener. Those by the [WorkspaceTools] of an agent
/// are also events of the run. It contains no paths, commands or texts, because those come from
/// models and may contain anything. Immutable.
public sealed interface WorkspaceEvent {
  /// The name of the run event for a [Violated].
  String VIOLATION = "workspace.violation";

  /// Which workspace: [Workspace#policy].
  String policy();

  /// `workspace.prepared`: a directory for it was made.
  record Prepared(String policy) implements WorkspaceEvent {}

  /// `workspace.cleaned_up`: its directory was deleted.
  ///
  /// @param isComplete false if something is left
  record CleanedUp(String policy, boolean isComplete) implements WorkspaceEvent {}

  /// `workspace.violation`: something was tried that it does not allow, and refused.
  ///
  /// @param code that of the error: `tool.path-escape`, `tool.forbidden-command` or `tool.http`
  /// @param tool the tool that tried; empty if the program did
  /// @param call the id of its call; empty if the program did
  record Violated(String policy, String code, String tool, String call) implements WorkspaceEvent {}

  /// `workspace.command_started`: an allowed command is about to run.
  ///
  /// @param tier how strictly it is confined
  record CommandStarted(String policy, Tier tier) implements WorkspaceEvent {}

  /// The name by which it goes in logs and runs.
  default String name() {
    return switch (this) {
      case Prepared _ -> "workspace.prepared";
      case CleanedUp _ -> "workspace.cleaned_up";
      case CommandStarted _ -> "workspace.command_started";
      case Violated _ -> VIOLATION;
    };
  }

  /// The violation in an event of a run, if it is one.
  static Optional<Violated> of(Event event) {
    return event instanceof Event.NodeEmitted told && told.name().equals(VIOLATION)
        ? Optional.of(told.payload().as(Violated.class))
        : Optional.empty();
  }
}
