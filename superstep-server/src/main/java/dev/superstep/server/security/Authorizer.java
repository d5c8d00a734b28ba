package dev.superstep.server.security;

import dev.superstep.json.Json;
import dev.superstep.store.Namespace;
import java.util.Optional;

/// Decides what a principal may do and see. Asked before each action. Safe for many threads.
@FunctionalInterface
public interface Authorizer {
  /// Decides on an action.
  Decision decide(Principal who, Access what);

  /// A decision.
  sealed interface Decision {
    /// Everything may be done and seen.
    Decision ALLOWED = new Allowed(Optional.empty(), Optional.empty());

    /// It may be done, within limits.
    ///
    /// @param metadata a JSON object that the metadata of what is seen contains; what is made gets
    ///   it, and clients cannot change it
    /// @param within the namespace of the store that the principal takes for the whole store
    record Allowed(Optional<Json> metadata, Optional<Namespace> within) implements Decision {}

    /// It may not be done; the client gets status 403.
    record Denied(String why) implements Decision {}
  }

  /// Gives each principal threads, runs and schedules of its own, marked by `owner` in the
  /// metadata, and a part of the store, `users` and its id. Assistants are for all; nobody changes
  /// them.
  static Authorizer ownThreads() {
    return new OwnThreads();
  }

  /// Lets everybody do everything.
  static Authorizer everything() {
    return (who, what) -> Decision.ALLOWED;
  }
}
