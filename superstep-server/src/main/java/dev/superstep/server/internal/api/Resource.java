package dev.superstep.server.internal.api;

import dev.superstep.server.internal.http.Routes;

/// A part of the API.
@FunctionalInterface
public interface Resource {
  /// Adds what it answers.
  void addTo(Routes routes);
}
