package dev.superstep.server.internal.api.studio;

import dev.superstep.server.graph.RagSources;
import dev.superstep.server.internal.api.Resource;
import dev.superstep.server.internal.http.Call;
import dev.superstep.server.internal.http.HttpFailure;
import dev.superstep.server.internal.http.Reply;
import dev.superstep.server.internal.http.Routes;
import tools.jackson.databind.node.JsonNodeFactory;

/// The texts of graphs that are `.rag` files: reads, checks and, if that is allowed, changes them.
/// Safe for many threads.
public final class RagResource implements Resource {
  private static final int TEXT_MOST = 1 << 20;

  private final RagSources sources;

  public RagResource(RagSources sources) {
    this.sources = sources;
  }

  @Override
  public void addTo(Routes routes) {
    routes
        .on("GET", "/superstep/rag/{graph}", this::read)
        .on("POST", "/superstep/rag/{graph}/check", StudioReplies.answering(this::check))
        .on("PUT", "/superstep/rag/{graph}", StudioReplies.answering(this::write));
  }

  private Reply read(Call call) {
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
    known(call);
    var found = sources.check(call.part("graph"), text(call));
    var reply = StudioReplies.object();
    reply.set("report", StudioReplies.tree(found.report()));
    var none = JsonNodeFactory.instance.nullNode();
    reply.set("topology", found.topology().map(StudioReplies::tree).orElse(none));
    return Reply.ok(reply);
  }

  private Reply write(Call call) {
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
