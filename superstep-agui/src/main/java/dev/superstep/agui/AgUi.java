package dev.superstep.agui;

import dev.superstep.server.extension.RequestRefused;
import dev.superstep.server.extension.ServerExtension;
import dev.superstep.server.extension.ServerRequest;
import dev.superstep.server.extension.ServerResponse;
import dev.superstep.server.extension.ServerRoutes;
import dev.superstep.server.graph.ServedGraph;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/// The graphs of a server by AG-UI 1.0: `POST /agui/{agent}` takes the input of a run and answers
/// with its events, over server-sent events. Immutable, safe for many threads.
///
/// ```java
/// AgentServer.on(checkpointer, documents)
///     .serving(ServedGraph.of(shop.graph()))
///     .extension(AgUi.protocol())
///     .start(2024);
/// ```
///
/// A thread of AG-UI is the thread of that id on the server. Its history and its state are the
/// server's: of what a client sends, only messages that the thread does not have count.
public final class AgUi implements ServerExtension {
  private static final String PATH = "/agui";

  private final String path;
  private final Set<String> shared;
  private final boolean cancels;

  private AgUi(String path, Set<String> shared, boolean cancels) {
    this.path = path;
    this.shared = shared;
    this.cancels = cancels;
  }

  /// The protocol below `/agui`. Clients change no state, and a run whose client leaves is
  /// cancelled, since leaving is how a client of AG-UI stops it.
  public static AgUi protocol() {
    return new AgUi(PATH, Set.of(), true);
  }

  /// Returns a copy below another path.
  ///
  /// @param other such as `/ui`, without a slash at its end
  public AgUi at(String other) {
    if (!other.startsWith("/") || other.endsWith("/")) {
      throw new IllegalArgumentException(
          "path must begin with a slash and not end with one, was `" + other + "`");
    }
    return new AgUi(other, shared, cancels);
  }

  /// Returns a copy in which clients may write these channels of a graph, by the `state` of the
  /// input. All other state is the server's alone.
  public AgUi sharing(String... channels) {
    return new AgUi(path, Set.of(channels), cancels);
  }

  /// Returns a copy in which runs go on when their client leaves. The client gets the rest by
  /// sending the same input again, with the same `runId`.
  public AgUi keepingRuns() {
    return new AgUi(path, shared, false);
  }

  @Override
  public void addTo(ServerRoutes routes) {
    var graphs = new LinkedHashMap<String, ServedGraph>();
    for (var graph : routes.graphs()) graphs.put(graph.id(), graph);
    routes.on("POST", path + "/{agent}", request -> run(request, graphs));
  }

  private ServerResponse run(ServerRequest request, Map<String, ServedGraph> graphs)
      throws InterruptedException {
    var agent = request.part("agent");
    var graph = graphs.get(agent);
    if (graph == null) {
      throw new RequestRefused(
          404, "There is no agent `%s`; there are %s.".formatted(agent, graphs.keySet()));
    }
    var body = request.body().orElseThrow(() -> new RequestRefused(400, "The body is empty."));
    var input = RunInput.read(Trees.of(body));
    var started = new RunStart(request.api(), graph, shared).start(input);
    var events = new RunEvents(input, started, graph);
    return ServerResponse.events(new RunSource(request.api(), started, events, cancels));
  }

  @Override
  public String toString() {
    return "AgUi[" + path + "]";
  }
}
