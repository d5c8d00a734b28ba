package dev.superstep.graph;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;
import static dev.superstep.graph.Runs.completed;
import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.node.Update;
import dev.superstep.run.Input;
import dev.superstep.state.Channel;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// List channels that are cut, on kept threads.
@Tag("G8")
class TruncatedListTest {
  record Doc(String url, long score) {}

  static final Channel<List<Doc>, Doc> BEST =
      Channel.append("best", Doc.class)
          .dedupBy(Doc::url)
          .keepTop(2, Comparator.comparing(Doc::score));
  static final Channel<List<Doc>, Doc> FOUND = Channel.append("found", Doc.class);

  /// Puts what it finds among the best.
  static Graph graph() {
    return Graph.named("search")
        .channels(BEST, FOUND)
        .node("rank", (state, _) -> Update.of(BEST, state.get(FOUND).getLast()))
        .sequence(START, "rank", END)
        .compile();
  }

  @Test
  void a_thread_continues_with_the_remaining_items() throws Exception {
    var options = RunOptions.thread("t").checkpoints(new InMemoryCheckpointer());
    var seen = new ArrayList<List<Doc>>();
    for (var doc : List.of(new Doc("a", 3), new Doc("b", 1), new Doc("b", 9), new Doc("c", 2))) {
      seen.add(completed(graph().invoke(Input.of(FOUND, doc), options)).get(BEST));
    }
    assertThat(seen)
        .containsExactly(
            List.of(new Doc("a", 3)),
            List.of(new Doc("a", 3), new Doc("b", 1)),
            List.of(new Doc("a", 3), new Doc("b", 1)),
            List.of(new Doc("a", 3), new Doc("c", 2)));
  }

  @Test
  @Tag("X10")
  void the_version_changes_only_if_the_remaining_items_differ() throws Exception {
    var options = RunOptions.thread("t").checkpoints(new InMemoryCheckpointer());
    var versions = new ArrayList<Long>();
    for (var doc : List.of(new Doc("a", 3), new Doc("b", 2), new Doc("b", 9), new Doc("c", 1))) {
      versions.add(completed(graph().invoke(Input.of(FOUND, doc), options)).version(BEST));
    }
    assertThat(versions).containsExactly(1L, 2L, 2L, 2L);
  }
}
