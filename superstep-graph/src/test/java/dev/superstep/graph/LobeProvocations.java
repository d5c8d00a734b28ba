package dev.superstep.graph;

import static dev.superstep.graph.Graph.START;

import dev.superstep.graph.ErrorMessagesTest.Case;
import dev.superstep.lobe.Lobe;
import dev.superstep.lobe.Lobes;
import dev.superstep.state.Channel;
import java.util.List;
import java.util.Objects;

/// The errors of lobes.
final class LobeProvocations {
  private static final Channel<String, String> SECRET = Channel.latest("secret", String.class);

  private LobeProvocations() {}

  static List<Case> all() {
    return List.of(new Case("a lobe reads what it does not declare", LobeProvocations::peek));
  }

  private static void peek() throws Throwable {
    var nosy =
        Lobe.named(
            "nosy",
            lobe -> {
              lobe.get(SECRET);
              return Lobe.nothing();
            });
    var mind = Lobes.named("mind", 1).lobes(nosy);
    var graph = mind.addTo(Graph.named("g").channels(SECRET)).edge(START, mind.entry()).compile();
    try {
      graph.invoke(Input.none());
    } catch (NodeFailed e) {
      throw Objects.requireNonNull(e.getCause());
    }
  }
}
