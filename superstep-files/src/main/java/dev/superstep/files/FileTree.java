package dev.superstep.files;

import dev.superstep.store.Namespace;
import dev.superstep.store.Store;
import dev.superstep.tool.ToolContext;
import dev.superstep.tool.ToolError;
import dev.superstep.workspace.Workspace;
import java.nio.file.NoSuchFileException;
import java.util.Optional;

/// Text files under paths, which several agents may read and change at once: who writes says what
/// the file is to be until then, and learns it if somebody was faster. [FileTools] gives a tree to
/// an agent.
///
/// ```java
/// var files =
///     FileTree.of(Workspace.at(Path.of("project")))
///         .mounting("handbook", FileTree.of(Workspace.at(Path.of("handbook"))).readOnly());
/// var notes = files.read("notes.md");
/// files.write("notes.md", notes.text() + "More.\n", Expected.digest(notes.digest()));
/// ```
///
/// Paths have `/` between their names and begin at the root of the tree: `notes/today.md`. A tree
/// has no empty folders. Implementations are safe for many threads and must pass `FileTreeSuite` of
/// this module's tests.
public interface FileTree {
  /// The files of a workspace, within its limits and rules. A write is checked and done under a
  /// lock of this process; another program that writes the same file in the same millisecond may
  /// still be overwritten.
  static FileTree of(Workspace workspace) {
    return new WorkspaceFiles(workspace);
  }

  /// Files that are gone with the process.
  static FileTree inMemory() {
    return new MemoryFiles();
  }

  /// Files in the long-term store, for all processes that use it. A deleted file leaves an item of
  /// some bytes, so that nobody who read it before can write it back unknowingly.
  ///
  /// @param namespace for these files alone
  static FileTree in(Store store, Namespace namespace) {
    return new StoreFiles(store, namespace);
  }

  /// Finds a file.
  ///
  /// @throws ToolError.PathEscape if the path leads out of the tree
  /// @throws ToolError.Other if it is no text, or too long
  Optional<FileText> find(String path);

  /// Reads a file.
  ///
  /// @throws ToolError.Io if there is none
  /// @throws ToolError.PathEscape if the path leads out of the tree
  /// @throws ToolError.Other if it is no text, or too long
  default FileText read(String path) {
    return find(path)
        .orElseThrow(() -> new ToolError.Io("read", path, new NoSuchFileException(path)));
  }

  /// Writes a file, if it is as expected until then.
  ///
  /// @return the file as it is now
  /// @throws FileConflict if it is not as expected; nothing is written
  /// @throws ToolError.PathEscape if the path leads out of the tree, or to what may only be read
  FileText write(String path, String text, Expected expected);

  /// Deletes a file, if it is as expected until then.
  ///
  /// @throws FileConflict if it is not as expected, or there is none; nothing is deleted
  /// @throws ToolError.PathEscape if the path leads out of the tree, or to what may only be read
  void delete(String path, Expected expected);

  /// The files of a folder and of those below it, by their paths.
  ///
  /// @param folder empty for the root; a folder without files, or that is none, has nothing
  FileList list(String folder);

  /// This tree for a tool call, whose events tell of what it refuses.
  default FileTree usedBy(ToolContext context) {
    return this;
  }

  /// This tree without a way to change it.
  default FileTree readOnly() {
    return new ReadOnlyFiles(this);
  }

  /// This tree with another one in a folder, in place of what is there.
  ///
  /// @param folder such as `skills/pdf`
  default FileTree mounting(String folder, FileTree other) {
    return new MountedFiles(this, folder, other);
  }
}
