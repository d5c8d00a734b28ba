package dev.superstep.workspace;

import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;

/// The entries of a directory of a [Workspace] and of those below it. Immutable.
///
/// @param isCut whether there are more entries than the workspace lists
/// @param isDeeper whether a directory on the last listed level is not empty
public record FolderListing(List<Entry> entries, boolean isCut, boolean isDeeper) {
  public FolderListing {
    entries = List.copyOf(entries);
  }

  /// An entry of the listing.
  ///
  /// @param path relative to the listed directory, with `/` between its parts
  /// @param bytes its size if it is a file, else 0
  public record Entry(String path, Kind kind, long bytes) {
    /// The kind of an entry.
    public enum Kind {
      /// A file.
      FILE,
      /// A directory.
      DIRECTORY,
      /// A link, wherever it leads; a listing does not follow it.
      LINK,
      /// A pipe, a device or the like, which can be neither read nor written.
      OTHER
    }

    static Entry of(Path way, BasicFileAttributes found) {
      var path = way.toString().replace(way.getFileSystem().getSeparator(), "/");
      return new Entry(path, kind(found), found.isRegularFile() ? found.size() : 0);
    }

    private static Kind kind(BasicFileAttributes found) {
      if (found.isSymbolicLink()) return Kind.LINK;
      if (found.isDirectory()) return Kind.DIRECTORY;
      return found.isRegularFile() ? Kind.FILE : Kind.OTHER;
    }
  }
}
