package dev.superstep.a2a;

import dev.superstep.a2a.client.A2aAgent;
import dev.superstep.a2a.client.A2aResult;
import dev.superstep.checkpoint.Checkpointer;
import dev.superstep.graph.Graph;
import dev.superstep.graph.RunOptions;
import dev.superstep.node.Update;
import dev.superstep.run.Input;
import dev.superstep.state.Channel;
import dev.superstep.store.jdbc.SqliteCheckpointer;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;

/// A graph that gives an agent elsewhere a message; also as a process that can be killed.
final class Office {
  static final Channel<String, String> ORDER = Channel.latest("order", String.class);
  static final Channel<A2aResult, A2aResult> RESULT = Channel.latest("result", A2aResult.class);

  private Office() {}

  static Graph graph(A2aAgent agent) {
    return Graph.named("office")
        .channels(ORDER, RESULT)
        .questions(A2aAgent.QUESTION)
        .node("desk", agent.node(s -> s.get(ORDER), result -> Update.of(RESULT, result)))
        .edge(Graph.START, "desk")
        .edge("desk", Graph.END)
        .compile();
  }

  static RunOptions options(Checkpointer store, String thread) {
    return RunOptions.thread(thread)
        .checkpoints(store)
        .lease(Duration.ofSeconds(1))
        .waitForLease(Duration.ofSeconds(10));
  }

  /// Runs it until it is killed: the address of the agent, the file and the order.
  public static void main(String[] args) throws Exception {
    try (var store = SqliteCheckpointer.open(Path.of(args[1]))) {
      var agent = A2aAgent.at(URI.create(args[0]));
      var _ = graph(agent).invoke(Input.of(ORDER, args[2]), options(store, "t"));
    }
  }
}
