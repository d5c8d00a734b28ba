package dev.superstep.server.internal.api.studio;

import dev.superstep.server.graph.NotServed;
import dev.superstep.server.graph.RagSources;
import dev.superstep.server.internal.api.Resource;
import dev.superstep.server.internal.api.Service;
import dev.superstep.server.internal.http.Routes;
import java.util.List;

/// All resources of the studio. Immutable.
public final class Studio implements Resource {
  private final List<Resource> resources;

  /// @param others programs that the server found and cannot serve
  public Studio(
      Service service, StudioThreads threads, List<NotServed> others, RagSources sources) {
    var graphs = new StudioGraphs(List.copyOf(service.graphs().values()), others);
    var store = service.checkpointer();
    resources =
        List.of(
            new StudioAssets(),
            new GraphResource(graphs, sources),
            new JournalResource(store, threads),
            new ThreadResource(graphs, store, threads),
            new ThreadEdits(graphs, store, threads),
            new RagResource(service.guard(), sources));
  }

  @Override
  public void addTo(Routes routes) {
    for (var resource : resources) resource.addTo(routes);
  }
}
