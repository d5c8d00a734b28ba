package dev.superstep.terminal.undo;

import dev.superstep.terminal.undo.TreeEntry.Kind;

/// The facts that a file system tells of a file without reading it. Times are in nanoseconds since
/// 1970. Immutable.
///
/// @param mode with the bits of its kind
/// @param changed when its content or its facts changed last, which no program can set
record FileFacts(int mode, long size, long modified, long changed, long inode) {
  private static final int MODE_BITS = 07777;
  private static final int TYPE_BITS = 0170000;

  Kind kind() {
    return switch (mode & TYPE_BITS) {
      case 0100000 -> Kind.FILE;
      case 0120000 -> Kind.LINK;
      case 0040000 -> Kind.FOLDER;
      default -> Kind.OTHER;
    };
  }

  /// Who may do what.
  int permissions() {
    return mode & MODE_BITS;
  }
}
