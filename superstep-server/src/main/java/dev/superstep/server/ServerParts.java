package dev.superstep.server;

import dev.superstep.server.internal.api.AssistantsResource;
import dev.superstep.server.internal.api.HealthResource;
import dev.superstep.server.internal.api.Resource;
import dev.superstep.server.internal.api.RunsResource;
import dev.superstep.server.internal.api.Service;
import dev.superstep.server.internal.api.StateEdits;
import dev.superstep.server.internal.api.StatesResource;
import dev.superstep.server.internal.api.StoreResource;
import dev.superstep.server.internal.api.ThreadAccess;
import dev.superstep.server.internal.api.ThreadsResource;
import dev.superstep.server.internal.api.studio.GraphResource;
import dev.superstep.server.internal.api.studio.JournalResource;
import dev.superstep.server.internal.api.studio.RagResource;
import dev.superstep.server.internal.api.studio.RagSources;
import dev.superstep.server.internal.api.studio.ServedThreads;
import dev.superstep.server.internal.api.studio.StudioAssets;
import dev.superstep.server.internal.api.studio.StudioGraphs;
import dev.superstep.server.internal.api.studio.ThreadEdits;
import dev.superstep.server.internal.api.studio.ThreadResource;
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
  private final RunService runs;
  private volatile boolean isDraining;

  ServerParts(Service service) {
    var limits = service.options().runs();
    this.service = service;
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
    return routes;
  }

  private List<Resource> resources() {
    var access = new ThreadAccess(service, runs);
    var edits = new StateEdits(service, access, runs);
    var threads = new ThreadsResource(service, access, edits);
    var studio = new ServedThreads(service, access, edits);
    var graphs = new StudioGraphs(List.copyOf(service.graphs().values()), List.of());
    var sources = RagSources.none();
    return List.of(
        new StudioAssets(),
        new GraphResource(graphs, sources),
        new RagResource(sources),
        new JournalResource(service.checkpointer(), studio),
        new ThreadResource(graphs, service.checkpointer(), studio),
        new ThreadEdits(graphs, service.checkpointer(), studio),
        new HealthResource(service, version(), () -> isDraining),
        threads,
        new StatesResource(service, access, edits),
        new RunsResource(service, access, runs),
        new AssistantsResource(service, runs, threads),
        new StoreResource(service));
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
