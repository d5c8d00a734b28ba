package dev.superstep.workspace;

/// Hears what happens in a [Workspace] while it happens, on the thread that does it. An exception
/// from a listener is logged and changes nothing. Must be safe for many threads if the workspace is
/// used by many.
@FunctionalInterface
public interface WorkspaceListener {
  /// Hears nothing.
  WorkspaceListener NONE = _ -> {};

  /// The next event.
  void on(WorkspaceEvent event);
}
