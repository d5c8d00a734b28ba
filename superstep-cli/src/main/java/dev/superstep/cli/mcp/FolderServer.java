package dev.superstep.cli.mcp;

import static java.util.Objects.requireNonNull;

import dev.superstep.mcp.McpServer;
import dev.superstep.mcp.config.McpEntry;
import java.nio.file.Path;

/// A server that a file names. Immutable.
///
/// @param file that names it
/// @param owner whose file it is
/// @param isHidden whether another server of the same name counts
record FolderServer(McpEntry entry, Path file, Owner owner, boolean isHidden) {
  /// The one who wrote a file.
  enum Owner {
    /// The user, who need not confirm it.
    USER,
    /// The folder, which may be a stranger's.
    FOLDER
  }

  String name() {
    return entry.name();
  }

  /// The folder that the file is in, where a program runs. That of the user's servers is not the
  /// folder of a program: what lies there could come between them and what they start.
  Path place() {
    return requireNonNull(file.toAbsolutePath().getParent());
  }

  boolean isUsed() {
    return !isHidden && !entry.isDisabled();
  }

  /// The beginning of the names of its tools.
  String prefix() {
    return McpServer.toolPrefix(name());
  }

  /// Returns true if a tool of this name may be one of its own.
  boolean mayHave(String tool) {
    return tool.equals(prefix()) || tool.startsWith(prefix() + "_");
  }
}
