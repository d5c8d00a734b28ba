package dev.superstep.mcp.server.content;

import java.util.List;

/// The folders that the user of a client has opened to servers. Immutable.
///
/// @param roots in the order of the client
public record ClientRoots(List<Root> roots) {
  public ClientRoots {
    roots = List.copyOf(roots);
  }

  /// A folder or a file.
  ///
  /// @param uri such as `file:///home/ann/desk`; as the client says it, not checked
  /// @param name for people; may be empty
  public record Root(String uri, String name) {}
}
