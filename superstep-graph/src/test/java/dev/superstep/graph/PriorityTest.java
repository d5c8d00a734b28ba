package dev.superstep.graph;

import static dev.superstep.graph.FailureTest.PATH;
import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;
import static dev.superstep.graph.Runs.completed;
import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.node.Node;
import dev.superstep.node.Send;
import dev.superstep.node.Target;
import dev.superstep.node.Update;
import dev.superstep.run.Input;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("G17")
class PriorityTest {
  static final Target<Integer> ITEM = Target.of("item", Integer.class);

  private final List<String> begun = Collections.synchronizedList(new ArrayList<>());

  private Node named(String name) {
    return (_, _) -> {
      begun.add(name);
      return Update.of(PATH, name);
    };
  }

  private static NodePolicy priority(int priority) {
    return NodePolicy.defaults().priority(priority);
  }

  private GraphBuilder builder() {
    return Graph.named("ordered")
        .channels(PATH)
        .node("low", named("low"), priority(-1))
        .node("plain", named("plain"))
        .node("high", named("high"), priority(5).concurrency(1))
        .node(
            ITEM,
            (n, _, _) -> {
              begun.add("item " + n);
              return Update.of(PATH, "item " + n);
            },
            priority(3))
        .edge(START, "low")
        .edge(START, "plain")
        .edge(START, "high")
        .fanOut(START, _ -> List.of(Send.to(ITEM, 0), Send.to(ITEM, 1)), ITEM)
        .edge("low", END)
        .edge("plain", END)
        .edge("high", END)
        .edge("item", END);
  }

  @Test
  void tasks_of_higher_priority_begin_first_when_slots_are_limited() throws Exception {
    completed(builder().compile().invoke(Input.none(), RunOptions.defaults().concurrency(1)));
    assertThat(begun).containsExactly("high", "item 0", "item 1", "plain", "low");
  }

  @Test
  void the_result_does_not_depend_on_priorities() throws Exception {
    for (int concurrency : new int[] {1, 2, 64}) {
      var options = RunOptions.defaults().concurrency(concurrency);
      var state = completed(builder().compile().invoke(Input.none(), options));
      assertThat(state.get(PATH)).containsExactly("low", "plain", "high", "item 0", "item 1");
    }
  }

  @Test
  void a_nodes_own_priority_overrides_the_default() throws Exception {
    var graph = builder().defaults(priority(9)).compile();
    completed(graph.invoke(Input.none(), RunOptions.defaults().concurrency(1)));
    assertThat(begun).containsExactly("plain", "high", "item 0", "item 1", "low");
  }
}
