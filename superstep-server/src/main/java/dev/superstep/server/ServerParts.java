package dev.superstep.server;

import dev.superstep.server.graph.NotServed;
import dev.superstep.server.graph.RagSources;
import dev.superstep.server.internal.api.AssistantsResource;
import dev.superstep.server.internal.api.HealthResource;
import dev.superstep.server.internal.api.OpenApiResource;
import dev.superstep.server.internal.api.Resource;
import dev.superstep.server.internal.api.RunsResource;
import dev.superstep.server.internal.api.Service;
import dev.superstep.server.internal.api.StateEdits;
import dev.superstep.server.internal.api.StatesResource;
import dev.superstep.server.internal.api.StoreResource;
import dev.superstep.server.internal.api.ThreadAccess;
import dev.superstep.server.internal.api.ThreadsResource;
import dev.superstep.server.internal.api.studio.ServedThreads;
import dev.superstep.server.internal.api.studio.Studio;
import dev.superstep.server.internal.http.Routes;
import dev.superstep.server.internal.run.RunService;
import dev.superstep.server.internal.run.RunSettings;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/// The parts of a server above HTTP, wired: its resources, and what works in its background. Safe
/// for many threads.
final class ServerParts {
  private final Service service;
  private final List<NotServed> notServed;
  private final RagSources sources;
  private final RunService runs;
  private volatile boolean isDraining;

  ServerParts(Service service, List<NotServed> notServed, RagSources sources) {
    var limits = service.options().runs();
    this.service = service;
    this.notServed = notServed;
    this.sources = sources;
    this.runs =
        new RunService(
            service.checkpointer(),
            service.documents(),
            service.memory(),
            service.graphs(),
            new RunSettings(limits.concurrent(), limits.lease()),
            (_, _, _, _) -> {});
  }

  /// Begins to run what waits.
  void start() {
    runs.start();
  }

  Routes routes() {
    var routes = new Routes();
    for (var resource : resources()) resource.addTo(routes);
    new OpenApiResource(routes, version()).addTo(routes);
    return routes;
  }

  private List<Resource> resources() {
    var access = new ThreadAccess(service, runs);
    var edits = new StateEdits(service, access, runs);
    var threads = new ThreadsResource(service, access, edits);
    return List.of(
        new HealthResource(service, version(), () -> isDraining),
        threads,
        new StatesResource(service, access, edits),
        new RunsResource(service, access, runs),
        new AssistantsResource(service, runs, threads),
        new StoreResource(service),
        new Studio(service, new ServedThreads(service, access, edits), notServed, sources));
  }

  /// Takes no more work, and waits for what is at work.
  void drain(Duration most) {
    isDraining = true;
    try {
      runs.drain(most);
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    } finally {
      runs.close();
    }
  }

  private static String version() {
    return Optional.ofNullable(ServerParts.class.getModule().getDescriptor())
        .flatMap(module -> module.rawVersion())
        .or(() -> Optional.ofNullable(ServerParts.class.getPackage().getImplementationVersion()))
        .orElse("0");
  }
}
