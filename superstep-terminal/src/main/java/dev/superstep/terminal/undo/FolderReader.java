package dev.superstep.terminal.undo;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Reads what is in a folder, with the facts of each entry; links are not followed. One thread at a
/// time.
interface FolderReader {
  /// An entry of a folder.
  ///
  /// @param path if the name alone does not lead to it
  record Entry(String name, FileFacts facts, @Nullable Path path) {
    Path in(Path folder) {
      return path == null ? folder.resolve(name) : path;
    }
  }

  /// The entries in any order; none if it went away meanwhile, is no folder, or shows nothing.
  List<Entry> read(Path folder) throws IOException;

  /// The fastest one that works here.
  static FolderReader open() {
    var portable = new PortableFolderReader();
    return LinuxFolderReader.isUsable() ? new LinuxFolderReader(portable) : portable;
  }
}
