package dev.superstep.server.internal.api.studio;

import dev.superstep.json.Json;
import dev.superstep.server.graph.RagSources;
import dev.superstep.server.internal.api.Resource;
import dev.superstep.server.internal.http.Call;
import dev.superstep.server.internal.http.Guard;
import dev.superstep.server.internal.http.HttpFailure;
import dev.superstep.server.internal.http.Reply;
import dev.superstep.server.internal.http.Routes;
import dev.superstep.server.security.Access;
import dev.superstep.server.security.Access.Action;
import tools.jackson.databind.node.JsonNodeFactory;

/// The texts of graphs that are `.rag` files: reads, checks and, if that is allowed, changes them.
/// Safe for many threads.
public final class RagResource implements Resource {
  private static final int TEXT_MOST = 1 << 20;

  private final Guard guard;
  private final RagSources sources;

  public RagResource(Guard guard, RagSources sources) {
    this.guard = guard;
    this.sources = sources;
  }

  @Override
  public void addTo(Routes routes) {
    routes
        .on("GET", "/superstep/rag/{graph}", this::read)
        .on("POST", "/superstep/rag/{graph}/check", StudioReplies.answering(this::check))
        .on("PUT", "/superstep/rag/{graph}", StudioReplies.answering(this::write));
  }

  /// A text is what assistants of its graph are made of, for all: who may see or change some of
  /// them only may read it, and may not change it.
  private void admit(Call call, Action action) {
    var graph = StudioReplies.object().put("graph_id", call.part("graph"));
    var wanted = new Access(Access.Resource.ASSISTANTS, action, Json.parse(graph.toString()));
    var granted = guard.check(call, wanted);
    if (action.isReading() || granted.metadata().isEmpty()) return;
    throw new HttpFailure(403, "Texts are for all; you may change your own assistants only.");
  }

  private Reply read(Call call) {
    admit(call, Action.READ);
    return file(sources.read(call.part("graph")).orElseThrow(() -> unknown(call)));
  }

  private Reply file(RagSources.RagText file) {
    return Reply.ok(
        StudioReplies.object()
            .put("path", file.path())
            .put("text", file.text())
            .put("digest", file.digest())
            .put("editable", sources.isEditable()));
  }

  private Reply check(Call call) {
    admit(call, Action.READ);
    known(call);
    var found = sources.check(call.part("graph"), text(call));
    var reply = StudioReplies.object();
    reply.set("report", StudioReplies.tree(found.report()));
    var none = JsonNodeFactory.instance.nullNode();
    reply.set("topology", found.topology().map(StudioReplies::tree).orElse(none));
    return Reply.ok(reply);
  }

  private Reply write(Call call) {
    admit(call, Action.UPDATE);
    known(call);
    if (!sources.isEditable()) {
      throw new HttpFailure(
          403, "Files may not be changed here. Start the server with `--edit` to allow it.");
    }
    var graph = call.part("graph");
    var text = text(call);
    return sources
        .write(graph, text, StudioReplies.need(call.body(), "digest"))
        .map(this::file)
        .orElseThrow(() ->
            new HttpFailure(
                409,
                "The file of graph `"
                    + graph
                    + "` was changed meanwhile. Load it again and repeat your change."));
  }

  private void known(Call call) {
    if (!sources.graphs().contains(call.part("graph"))) throw unknown(call);
  }

  private static String text(Call call) {
    var text = StudioReplies.need(call.body(), "text");
    if (text.length() <= TEXT_MOST) return text;
    throw new HttpFailure(413, "A text may have at most " + TEXT_MOST + " characters.");
  }

  private static HttpFailure unknown(Call call) {
    return new HttpFailure(404, "Graph `" + call.part("graph") + "` is no `.rag` file here.");
  }
}
