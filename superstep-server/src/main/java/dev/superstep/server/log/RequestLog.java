package dev.superstep.server.log;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;

/// Hears of each request after its end: the log of accesses, and the source of metrics. Safe for
/// many threads.
@FunctionalInterface
public interface RequestLog {
  /// Called once for each request; must be quick.
  void served(Served request);

  /// A request that was answered.
  ///
  /// @param principal its id; empty if it is not known
  /// @param path without the query, which may have more than a log should
  /// @param route the template of the path, fit for a label of metrics; empty if there is none
  record Served(
      String id,
      Instant at,
      String address,
      String principal,
      String method,
      String path,
      String route,
      int status,
      Ending ending,
      Duration took) {}

  /// The ways in which requests end.
  enum Ending {
    /// With the answer that was wanted, sent whole.
    ANSWERED,
    /// With an answer that says why not.
    REFUSED,
    /// With a failure of the server.
    FAILED,
    /// Without its client, who left first.
    ABANDONED
  }

  /// Appends a line of JSON for each request.
  ///
  /// @param file made if there is none, for its owner alone; may be moved away at any time
  static RequestLog toFile(Path file) {
    var lines = new JsonLines(file);
    return lines::write;
  }

  /// Returns a log that writes to this one and another one.
  default RequestLog and(RequestLog other) {
    return request -> {
      served(request);
      other.served(request);
    };
  }

  /// Keeps nothing.
  static RequestLog none() {
    return _ -> {};
  }
}
