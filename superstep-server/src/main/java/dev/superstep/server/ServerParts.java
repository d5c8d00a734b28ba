package dev.superstep.server;

import dev.superstep.server.internal.api.HealthResource;
import dev.superstep.server.internal.api.Resource;
import dev.superstep.server.internal.api.Service;
import dev.superstep.server.internal.api.studio.RagSources;
import dev.superstep.server.internal.api.studio.Studio;
import dev.superstep.server.internal.http.Routes;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/// The parts of a server above HTTP, wired: its resources, and what works in its background. Safe
/// for many threads.
final class ServerParts {
  private final Service service;
  private volatile boolean isDraining;

  ServerParts(Service service) {
    this.service = service;
  }

  Routes routes() {
    var routes = new Routes();
    for (var resource : resources()) resource.addTo(routes);
    return routes;
  }

  private List<Resource> resources() {
    return List.of(
        new HealthResource(service, version(), () -> isDraining),
        new Studio(service, List.of(), RagSources.none()));
  }

  /// Takes no more work, and waits for what is at work.
  void drain(Duration most) {
    isDraining = true;
  }

  private static String version() {
    return Optional.ofNullable(ServerParts.class.getModule().getDescriptor())
        .flatMap(module -> module.rawVersion())
        .or(() -> Optional.ofNullable(ServerParts.class.getPackage().getImplementationVersion()))
        .orElse("0");
  }
}
