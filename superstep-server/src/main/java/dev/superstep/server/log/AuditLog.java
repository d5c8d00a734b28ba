package dev.superstep.server.log;

import java.nio.file.Path;
import java.time.Instant;

/// Hears who did what, and who was refused. Gets no bodies and no secrets. Safe for many threads.
@FunctionalInterface
public interface AuditLog {
  /// The name of what those want who do not show who they are; they get status 401.
  String AUTHENTICATE = "authenticate";

  /// Called for each action before it is done. If it fails, the action is not done.
  void add(Entry entry);

  /// An action that somebody wanted to do.
  ///
  /// @param request its id, which the log of requests has, too
  /// @param who the id of the principal; empty if that is not known
  /// @param what such as `threads:create_run`, or [#AUTHENTICATE]
  /// @param path that the action is about
  /// @param isAllowed whether it could be done
  record Entry(
      String request,
      Instant at,
      String who,
      String address,
      String what,
      String path,
      boolean isAllowed) {}

  /// Appends a line of JSON for each action.
  ///
  /// @param file made if there is none, for its owner alone; may be moved away at any time
  static AuditLog toFile(Path file) {
    var lines = new JsonLines(file);
    return lines::write;
  }

  /// Keeps nothing.
  static AuditLog none() {
    return _ -> {};
  }
}
