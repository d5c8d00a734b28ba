package dev.superstep.server.extension;

import dev.superstep.json.Json;

/// The API of a server, used in its process for the sender of a request: with its rights, its
/// limits and its line in the audit log. Safe for many threads.
///
/// ```java
/// var run = request.api().send("POST", "/threads/" + thread + "/runs", body);
/// ```
public interface ServerApi {
  /// Sends a request and returns the JSON of the answer; the JSON `null` for one without a body.
  ///
  /// @param path with its query, encoded as in an address
  /// @param body the JSON `null` for none
  /// @throws RequestRefused with the status and the reason of a refusal
  /// @throws InterruptedException if the thread was interrupted while the answer was awaited
  Json send(String method, String path, Json body) throws InterruptedException;

  /// Opens a stream of events.
  ///
  /// @param path with its query, encoded as in an address
  /// @param body the JSON `null` for none
  /// @param lastEvent the id of the last event that is known; empty for none
  /// @throws RequestRefused with the status and the reason of a refusal
  EventSource stream(String method, String path, Json body, String lastEvent);
}
