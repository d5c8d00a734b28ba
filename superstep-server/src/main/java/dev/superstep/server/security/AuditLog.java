package dev.superstep.server.security;

import java.time.Instant;

/// Hears who did what, and who was refused. Gets no bodies and no secrets. Safe for many threads.
@FunctionalInterface
public interface AuditLog {
  /// Called for each action before it is done; must be quick.
  void add(Entry entry);

  /// An action that somebody wanted to do.
  ///
  /// @param request its id, which the log of requests has, too
  /// @param who the id of the principal
  /// @param what such as `threads:create_run`
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

  /// Keeps nothing.
  static AuditLog none() {
    return _ -> {};
  }
}
