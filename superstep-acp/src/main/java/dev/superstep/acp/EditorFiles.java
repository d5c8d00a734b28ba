package dev.superstep.acp;

import dev.superstep.files.Expected;
import dev.superstep.files.FileList;
import dev.superstep.files.FileText;
import dev.superstep.files.FileTree;
import dev.superstep.tool.ToolContext;
import dev.superstep.tool.ToolOutsideGraph;
import java.util.Optional;

/// Text files as the editor of a session has them: what is not saved yet is read, and what is
/// written shows in the editor. In runs without an editor, other files. Immutable, safe for many
/// threads.
///
/// ```java
/// var files = EditorFiles.or(FileTree.of(Workspace.at(Path.of("project"))));
/// Agent.named("coder").model(model).tools(FileTools.of(files)).build();
/// ```
///
/// The tree is that of the session's folder, and no path leads out of it. Lists and searches find
/// the files on the disk; of a file that is open, they see the text in the editor. Deleting is done
/// on the disk. A change is refused if the text is not the one that was read; between that check
/// and the change a person may still type.
public final class EditorFiles implements FileTree {
  private final FileTree other;

  private EditorFiles(FileTree other) {
    this.other = other;
  }

  /// The files of the editor of a session.
  ///
  /// @param other the files of runs that have none
  public static EditorFiles or(FileTree other) {
    return new EditorFiles(other);
  }

  /// The files of the editor of a session. Runs that have none find no files, and their changes are
  /// gone with the process.
  public static EditorFiles alone() {
    return new EditorFiles(FileTree.inMemory());
  }

  @Override
  public FileTree usedBy(ToolContext context) {
    return session(context)
        .map(found -> found.files().usedBy(context))
        .orElseGet(() -> other.usedBy(context));
  }

  private static Optional<EditorSession> session(ToolContext context) {
    try {
      return EditorSession.of(context.node());
    } catch (ToolOutsideGraph _) {
      return Optional.empty();
    }
  }

  @Override
  public Optional<FileText> find(String path) {
    return other.find(path);
  }

  @Override
  public FileText write(String path, String text, Expected expected) {
    return other.write(path, text, expected);
  }

  @Override
  public void delete(String path, Expected expected) {
    other.delete(path, expected);
  }

  @Override
  public FileList list(String folder) {
    return other.list(folder);
  }

  @Override
  public String toString() {
    return "EditorFiles[or " + other + "]";
  }
}
