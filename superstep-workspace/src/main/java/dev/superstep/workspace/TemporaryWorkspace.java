package dev.superstep.workspace;

import dev.superstep.tool.ToolError;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicBoolean;

/// A [Workspace] in a new directory that is deleted when this is closed. Creation and deletion are
/// published to the listener. Safe for many threads.
///
/// ```java
/// try (var temporary = Workspace.temporary()) {
///   temporary.workspace().write("a.txt", "...");
/// }
/// ```
public final class TemporaryWorkspace implements AutoCloseable {
  private final Workspace workspace;
  private final AtomicBoolean closed = new AtomicBoolean();

  private TemporaryWorkspace(Workspace workspace) {
    this.workspace = workspace;
  }

  static TemporaryWorkspace make(WorkspaceListener listener) {
    Path directory;
    try {
      directory = Files.createTempDirectory("superstep-workspace-");
    } catch (IOException e) {
      throw new ToolError.Io("make", "a temporary workspace", e);
    }
    var workspace = Workspace.at(directory).policy("temporary").listener(listener);
    workspace.publish(new WorkspaceEvent.Prepared(workspace.policy()));
    return new TemporaryWorkspace(workspace);
  }

  /// The workspace. Its configuration methods return copies for the same directory.
  public Workspace workspace() {
    return workspace;
  }

  /// Deletes the directory and what is in it, links but not what they lead to. Once.
  ///
  /// @throws ToolError.Io if something cannot be deleted; the rest of the directory stays
  @Override
  public void close() {
    if (closed.getAndSet(true)) return;
    boolean isComplete = false;
    try {
      workspace.tree().clear(workspace.places().find(""));
      Files.delete(workspace.root());
      isComplete = true;
    } catch (IOException e) {
      throw new ToolError.Io("remove", "the temporary workspace", e);
    } finally {
      workspace.publish(new WorkspaceEvent.CleanedUp(workspace.policy(), isComplete));
    }
  }

  @Override
  public String toString() {
    return "TemporaryWorkspace[" + workspace + "]";
  }
}
