package dev.superstep.terminal.undo;

import java.io.IOException;
import java.nio.file.Path;

/// A workspace, and where its changes are kept. Immutable.
///
/// @param workspace whose changes are kept
/// @param store a folder of its own, which only its owner may read
/// @param without a folder that is not watched: that of the program, or the store itself
public record UndoPlace(Path workspace, Path store, Path without) {
  /// A store that may be in the workspace.
  public static UndoPlace of(Path workspace, Path store) {
    return new UndoPlace(workspace, store, store);
  }

  /// Returns a copy for a program that keeps more in the workspace than the store.
  ///
  /// @param folder around the store; what is in it is not watched
  public UndoPlace without(Path folder) {
    if (!store.startsWith(folder)) {
      throw new IllegalArgumentException("folder must be around the store: " + folder);
    }
    return new UndoPlace(workspace, store, folder);
  }

  UndoPlace real() throws IOException {
    var place = new UndoPlace(workspace.toRealPath(), store.toRealPath(), without.toRealPath());
    if (place.workspace.startsWith(place.without)) {
      throw new IllegalArgumentException("what is not watched is all of it: " + without);
    }
    return place;
  }
}
