package dev.superstep.server.internal.api.studio;

import dev.superstep.server.graph.RagSources;
import dev.superstep.server.graph.ServedGraph;
import dev.superstep.server.internal.api.Resource;
import dev.superstep.server.internal.http.Call;
import dev.superstep.server.internal.http.HttpFailure;
import dev.superstep.server.internal.http.Reply;
import dev.superstep.server.internal.http.Routes;
import java.util.HashSet;
import java.util.Set;
import tools.jackson.databind.node.ObjectNode;

/// The graphs of the server, with their shapes. Immutable.
public final class GraphResource implements Resource {
  private final StudioGraphs graphs;
  private final RagSources sources;

  public GraphResource(StudioGraphs graphs, RagSources sources) {
    this.graphs = graphs;
    this.sources = sources;
  }

  @Override
  public void addTo(Routes routes) {
    routes
        .on("GET", "/superstep/graphs", this::list)
        .on("GET", "/superstep/graphs/{graph}/topology", this::topology);
  }

  private Reply list(Call call) {
    var files = new HashSet<>(sources.graphs());
    var reply = StudioReplies.object();
    reply.put("editable", sources.isEditable());
    var all = reply.putArray("graphs");
    for (var each : graphs.served()) all.add(entry(each, files));
    for (var each : graphs.others()) {
      all.addObject()
          .put("id", each.id())
          .put("description", each.description())
          .put("kind", "program")
          .put("startable", false)
          .put("why", each.why());
    }
    return Reply.ok(reply);
  }

  private static ObjectNode entry(ServedGraph graph, Set<String> files) {
    return StudioReplies.object()
        .put("id", graph.id())
        .put("name", graph.graph().name())
        .put("description", graph.description())
        .put("kind", files.contains(graph.id()) ? "rag" : "graph")
        .put("startable", true);
  }

  private Reply topology(Call call) {
    var id = call.part("graph");
    var served =
        graphs
            .find(id)
            .or(() -> graphs.named(id))
            .orElseThrow(() ->
                new HttpFailure(404, "There is no graph `" + id + "`. Look at /superstep/graphs."));
    return Reply.ok(StudioReplies.tree(served.graph().topology().json()));
  }
}
