package dev.superstep.files;

import java.util.List;

/// The files of a folder and of those below it. Immutable.
///
/// @param files by their paths, in order
/// @param isCut whether there are more than are listed
public record FileList(List<Entry> files, boolean isCut) {
  /// The most files of a list.
  public static final int FILES_MAX = 10_000;

  public FileList {
    files = List.copyOf(files);
  }

  /// A file of the list.
  ///
  /// @param path from the root of the tree
  /// @param bytes in UTF-8
  public record Entry(String path, long bytes) {}
}
