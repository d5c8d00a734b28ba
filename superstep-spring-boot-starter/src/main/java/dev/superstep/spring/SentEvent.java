package dev.superstep.spring;

import dev.superstep.json.Json;
import java.util.Map;

/// A server-sent event.
///
/// @param id what a client comes back with; empty if it is none to come back after
record SentEvent(String id, String name, String data) {
  static SentEvent of(EventId id, ClientEvent event) {
    return new SentEvent(id.toString(), event.name(), event.data().text());
  }

  /// Tells a client to discard what it has of a run, which follows.
  static SentEvent replay(String run) {
    return new SentEvent("", "replay", Json.of(Map.of("run", run)).text());
  }
}
