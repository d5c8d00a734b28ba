package dev.superstep.terminal.undo;

import org.jspecify.annotations.Nullable;

/// A file, link or folder of a workspace at one time.
///
/// @param content of a file, the digest; of a link, its target; else, or if it is not kept, empty
/// @param gap why the content of a file is not kept; empty if it is
record TreeEntry(Kind kind, int mode, String content, String gap, Stamp stamp) {
  enum Kind {
    FILE,
    LINK,
    FOLDER,
    /// A pipe, a socket or a device.
    OTHER
  }

  /// What the file system tells of it without reading it.
  ///
  /// @param isSettled whether a change since would have changed the rest: it is older than the
  ///   steps of the clock of the file system
  record Stamp(long size, long modified, long changed, long inode, boolean isSettled) {
    boolean isSame(Stamp other) {
      return size == other.size
          && modified == other.modified
          && changed == other.changed
          && inode == other.inode;
    }
  }

  boolean isKept() {
    return gap.isEmpty();
  }

  /// Returns whether both would have the same digest of their tree.
  boolean isSameAs(@Nullable TreeEntry other) {
    if (other == null || kind != other.kind || mode != other.mode) return false;
    return isSameContent(other);
  }

  boolean isSameContent(TreeEntry other) {
    if (kind != other.kind) return false;
    if (isKept() && other.isKept()) return content.equals(other.content);
    return isKept() == other.isKept() && stamp.isSame(other.stamp);
  }

  TreeEntry withoutContent(String why) {
    return new TreeEntry(kind, mode, "", why, stamp);
  }
}
