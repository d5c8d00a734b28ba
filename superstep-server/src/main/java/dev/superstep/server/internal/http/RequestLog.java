package dev.superstep.server.internal.http;

import java.time.Duration;
import java.time.Instant;

/// Hears of each request after its end. Safe for many threads.
@FunctionalInterface
public interface RequestLog {
  /// Called once for each request; must be quick.
  void served(Served request);

  /// A request that was answered.
  ///
  /// @param route the template of the path, or empty if there is none
  /// @param outcome `ok`, `refused`, `failed` or `gone`
  record Served(
      String id,
      Instant at,
      String address,
      String principal,
      String method,
      String path,
      String route,
      int status,
      String outcome,
      Duration took) {}
}
