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
public final class EditorSession {
  static final ContextKey<EditorSession> KEY = ContextKey.of("acp.session", EditorSession.class);

  private final String id;
  private final Path folder;
  private final FileTree files;
  private final Terminals terminals;
  private final boolean hasForms;

  /// @param hasForms whether the editor shows forms
  EditorSession(String id, Path folder, FileTree files, Terminals terminals, boolean hasForms) {
    this.hasForms = hasForms;
    this.id = id;
    this.folder = folder;
    this.files = files;
    this.terminals = terminals;
  }

  /// The session that a node works for, if its run is one of an editor.
  public static Optional<EditorSession> of(NodeContext context) {
    return context.find(KEY);
  }

  /// Its id, which is also the name of its thread.
  public String id() {
    return id;
  }

  /// The folder that the editor has open for it, absolute.
  public Path folder() {
    return folder;
  }

  /// The text files below the folder as the editor has them, where it gives access, else as they
  /// are on the disk.
  public FileTree files() {
    return files;
  }

  Terminals terminals() {
    return terminals;
  }

  boolean hasForms() {
    return hasForms;
  }

  @Override
  public String toString() {
    return "EditorSession[" + id + ", " + folder + "]";
  }
}
