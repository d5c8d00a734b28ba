package dev.superstep.server.security;

import dev.superstep.json.Json;
import java.util.Locale;

/// Something that a principal wants to do: an action on a resource. Immutable.
///
/// @param value the request in JSON, with its thread, assistant or namespace
public record Access(Resource resource, Action action, Json value) {
  /// The kinds of things that a server has.
  public enum Resource {
    /// Threads, their states and their runs.
    THREADS,
    /// Graphs with configurations, and the texts that graphs are made of.
    ASSISTANTS,
    /// Schedules.
    CRONS,
    /// The long-term memory.
    STORE
  }

  /// The kinds of actions.
  public enum Action {
    /// Making one.
    CREATE,
    /// Reading one.
    READ,
    /// Changing one.
    UPDATE,
    /// Deleting one.
    DELETE,
    /// Finding some.
    SEARCH,
    /// Starting a run on a thread.
    CREATE_RUN,
    /// Writing an item of the store.
    PUT,
    /// Reading an item of the store.
    GET,
    /// Listing the namespaces of the store.
    LIST_NAMESPACES;

    /// Returns whether it changes nothing.
    public boolean isReading() {
      return switch (this) {
        case READ, SEARCH, GET, LIST_NAMESPACES -> true;
        case CREATE, UPDATE, DELETE, CREATE_RUN, PUT -> false;
      };
    }
  }

  /// The name of it, as `threads:create_run`.
  public String name() {
    return resource.name().toLowerCase(Locale.ROOT) + ":" + action.name().toLowerCase(Locale.ROOT);
  }
}
