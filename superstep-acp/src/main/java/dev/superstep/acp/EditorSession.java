package dev.superstep.acp;

import dev.superstep.files.FileTree;
import dev.superstep.node.ContextKey;
import dev.superstep.node.NodeContext;
import java.nio.file.Path;
import java.util.Optional;

/// The session of an editor that a node or a tool works for. Immutable, safe for many threads.
///
/// ```java
/// var folder = EditorSession.of(context.node()).map(EditorSession::folder).orElse(usual);
/// ```
///
/// @param id of the session, which is also the name of its thread
/// @param folder the one that the editor has open for it, absolute
/// @param files the text files below the folder as the editor has them, where it gives access, else
///   as they are on the disk
public record EditorSession(String id, Path folder, FileTree files) {
  static final ContextKey<EditorSession> KEY = ContextKey.of("acp.session", EditorSession.class);

  /// The session that a node works for, if its run is one of an editor.
  public static Optional<EditorSession> of(NodeContext context) {
    return context.find(KEY);
  }

  @Override
  public String toString() {
    return "EditorSession[" + id + ", " + folder + "]";
  }
}
