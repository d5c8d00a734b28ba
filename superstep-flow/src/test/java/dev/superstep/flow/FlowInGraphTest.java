package dev.superstep.flow;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;
import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.event.Event;
import dev.superstep.graph.Graph;
import dev.superstep.graph.RunOptions;
import dev.superstep.run.Input;
import dev.superstep.run.Outcome;
import dev.superstep.state.Channel;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Flows as parts of other things.
class FlowInGraphTest {
  private static final Channel<FlowTest.Article, FlowTest.Article> ARTICLE =
      Channel.latest("article", FlowTest.Article.class);
  private static final Channel<List<FlowTest.Post>, FlowTest.Post> POSTS =
      Channel.append("posts", FlowTest.Post.class);

  @Test
  void a_flow_is_a_node_from_one_channel_to_another() throws InterruptedException {
    var graph =
        Graph.named("site")
            .channels(ARTICLE, POSTS)
            .node("publish", FlowTest.PUBLISH.on(ARTICLE, POSTS))
            .edge(START, "publish")
            .edge("publish", END)
            .compile();
    var outcome = graph.invoke(Input.of(ARTICLE, new FlowTest.Article("ants dig")));
    assertThat(((Outcome.Completed) outcome).state().get(POSTS))
        .containsExactly(new FlowTest.Post("ant", List.of("ants", "dig")));
  }

  @Test
  void events_of_a_flow_are_published_while_it_runs() throws InterruptedException {
    var finished = new ArrayList<String>();
    var flow = FlowTest.PUBLISH;
    try (var stream = flow.stream(new FlowTest.Article("ants dig"), RunOptions.defaults())) {
      for (var event : stream) {
        if (event instanceof Event.NodeFinished done) finished.add(done.node());
      }
      var end = flow.outcome(stream.outcome(), RunOptions.defaults());
      assertThat(end.output().summary()).isEqualTo("ant");
    }
    assertThat(finished).containsExactlyInAnyOrder("Article", "Topic", "Draft", "Summary and Tags");
  }
}
