package dev.superstep.server.internal.wire;

import dev.superstep.server.internal.http.HttpFailure;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/// A checkpoint as a client names it. Immutable.
///
/// @param id empty for the newest one
/// @param namespace of a graph inside the thread: `node:task`, joined by `|`; empty for the graph
///   of the thread itself
public record CheckpointRef(Optional<String> id, String namespace) {
  /// The newest checkpoint of a thread.
  public static CheckpointRef newest() {
    return new CheckpointRef(Optional.empty(), "");
  }

  /// A checkpoint of the thread's own graph.
  public static CheckpointRef of(String id) {
    return new CheckpointRef(Optional.of(id), "");
  }

  /// Reads `{checkpoint_id, checkpoint_ns}`, or those inside `configurable`, or the id alone.
  ///
  /// @throws HttpFailure 422 if it is something else
  public static CheckpointRef read(JsonNode json) {
    if (json.isString()) return of(json.stringValue());
    if (!json.isObject()) throw new HttpFailure(422, "checkpoint must be an object");
    var inner = json.path("configurable");
    var from = inner.isObject() ? inner : json;
    return new CheckpointRef(
        text(from, "checkpoint_id").filter(id -> !id.isEmpty()),
        text(from, "checkpoint_ns").orElse(""));
  }

  private static Optional<String> text(JsonNode from, String name) {
    var value = from.path(name);
    if (value.isMissingNode() || value.isNull()) return Optional.empty();
    if (value.isString()) return Optional.of(value.stringValue());
    throw new HttpFailure(422, "checkpoint." + name + " must be a string");
  }
}
