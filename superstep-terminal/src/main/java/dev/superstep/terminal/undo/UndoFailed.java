package dev.superstep.terminal.undo;

import dev.superstep.json.SuperstepException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A change was not undone, or changes cannot be watched. Nothing was changed, unless the message
/// says so.
public final class UndoFailed extends SuperstepException {
  private final List<String> paths;

  /// Another process has the store.
  static UndoFailed busy(String store) {
    var text =
        "The changes of this workspace are watched by another process. End it, or wait: " + store;
    return new UndoFailed("undo.busy", text, List.of(), null);
  }

  static UndoFailed tooManyFiles(String workspace, int most) {
    return new UndoFailed(
        "undo.too-many-files",
        "%s has more than %,d files, so that no change of it can be undone. Choose a smaller folder."
            .formatted(workspace, most),
        List.of(),
        null);
  }

  static UndoFailed unsupported(String workspace) {
    var text =
        "Changes of %s cannot be undone: its file system has no modes and inodes, as on Windows."
                .formatted(workspace)
            + " Use version control to take changes back.";
    return new UndoFailed("undo.unsupported", text, List.of(), null);
  }

  static UndoFailed conflict(List<String> paths) {
    return new UndoFailed(
        "undo.conflict",
        "Nothing was undone, since this was changed afterwards: "
            + String.join(", ", paths)
            + ". Undo later changes first, or restore these by hand.",
        paths,
        null);
  }

  static UndoFailed notKept(List<String> paths) {
    return new UndoFailed(
        "undo.not-kept",
        "Nothing was undone, since the earlier content of this is not kept: "
            + String.join(", ", paths)
            + ".",
        paths,
        null);
  }

  static UndoFailed unknown(long id) {
    return new UndoFailed(
        "undo.unknown-change", "There is no change " + id + " to undo.", List.of(), null);
  }

  static UndoFailed io(String what, Throwable cause) {
    return new UndoFailed("undo.io", what + ": " + cause, List.of(), cause);
  }

  private UndoFailed(String code, String message, List<String> paths, @Nullable Throwable cause) {
    super(code, message, cause);
    this.paths = List.copyOf(paths);
  }

  /// The paths that it is about, relative to the workspace.
  public List<String> paths() {
    return paths;
  }
}
