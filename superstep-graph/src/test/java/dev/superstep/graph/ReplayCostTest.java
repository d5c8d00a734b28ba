package dev.superstep.graph;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;
import static dev.superstep.graph.Runs.completed;
import static dev.superstep.graph.Runs.thrown;
import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.checkpoint.ChannelChange;
import dev.superstep.checkpoint.Checkpoint;
import dev.superstep.checkpoint.Checkpointer;
import dev.superstep.checkpoint.CheckpointerCapability.CombinedCalls;
import dev.superstep.checkpoint.ForwardingCheckpointer;
import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.checkpoint.Lineage;
import dev.superstep.checkpoint.Saved;
import dev.superstep.error.StepLimitReached;
import dev.superstep.node.Send;
import dev.superstep.node.Target;
import dev.superstep.node.Update;
import dev.superstep.run.Answers;
import dev.superstep.run.Input;
import dev.superstep.run.ReplayResult;
import dev.superstep.state.Channel;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/// A replay reads what each superstep changed, and a whole state hardly ever.
final class ReplayCostTest {
  private static final Channel<List<String>, String> LINES = Channel.append("lines", String.class);
  private static final Channel<Long, Long> COUNT = Channel.sum("count");
  private static final Target<String> LATER = Target.of("later", String.class);

  private final Counted store = new Counted(new InMemoryCheckpointer());
  private final RunOptions options = RunOptions.thread("t").checkpoints(store).stepLimit(10_000);

  /// Counts how often a whole state is read, and the checkpoints of pages.
  private static final class Counted extends ForwardingCheckpointer implements CombinedCalls {
    private final AtomicInteger wholes = new AtomicInteger();
    private final AtomicInteger paged = new AtomicInteger();

    Counted(Checkpointer store) {
      super(store);
    }

    @Override
    public Optional<Saved> latest(Lineage lineage) {
      wholes.incrementAndGet();
      return super.latest(lineage);
    }

    @Override
    public Optional<Saved> byId(Lineage lineage, String id) {
      wholes.incrementAndGet();
      return super.byId(lineage, id);
    }

    @Override
    public List<Checkpoint> page(Lineage lineage, Optional<String> before, int limit) {
      var page = super.page(lineage, before, limit);
      paged.addAndGet(page.size());
      return page;
    }

    @Override
    public Optional<List<ChannelChange>> changes(Lineage lineage, String id) {
      return CombinedCalls.of(store()).changes(lineage, id);
    }

    private int during(Supplier<ReplayResult> replay) {
      wholes.set(0);
      paged.set(0);
      assertThat(replay.get().divergence()).isEmpty();
      return wholes.get();
    }
  }

  private static Graph talk(int steps, String line) {
    return Graph.named("talk")
        .channels(LINES, COUNT)
        .node("say", (s, _) -> Update.of(LINES, line + s.get(LINES).size()).and(COUNT, 1L))
        .node(LATER, (text, _, _) -> Update.of(LINES, text))
        .edge(START, "say")
        .fanOut("say", _ -> List.of(Send.to(LATER, "x".repeat(500))), LATER)
        .route("say", s -> s.get(COUNT) < steps ? "say" : END, "say", END)
        .deferred("later")
        .edge("later", END)
        .compile();
  }

  private ReplayResult replayed(Graph graph) {
    try {
      return Replay.of(graph, store).thread("t").stepLimit(10_000).run();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void four_times_the_supersteps_read_no_more_whole_states() throws Exception {
    for (int steps : List.of(50, 200)) {
      var graph = talk(steps, "line ");
      completed(graph.invoke(Input.none(), options));
      assertThat(store.during(() -> replayed(graph))).isLessThan(6);
      assertThat(store.paged.get()).isLessThan(2 * steps + 10);
      assertThat(replayed(graph).supersteps()).isEqualTo(steps + 1);
      Threads.in(store).delete("t");
    }
  }

  @Test
  void a_run_that_ended_and_went_on_is_replayed_across_the_ends() throws Exception {
    var graph = talk(40, "line ");
    thrown(StepLimitReached.class, () -> graph.invoke(Input.none(), options.stepLimit(13)));
    thrown(StepLimitReached.class, () -> graph.resume(Answers.none(), options.stepLimit(13)));
    completed(graph.resume(Answers.none(), options));
    assertThat(store.during(() -> replayed(graph))).isLessThan(6);
    assertThat(replayed(graph).supersteps()).isEqualTo(41);
  }

  @Test
  void a_difference_late_in_a_list_is_found_and_reported() throws Exception {
    var graph = talk(60, "line ");
    completed(graph.invoke(Input.none(), options));
    var other =
        Graph.named("talk")
            .channels(LINES, COUNT)
            .node(
                "say",
                (s, _) ->
                    Update.of(
                            LINES, (s.get(COUNT) == 44 ? "other " : "line ") + s.get(LINES).size())
                        .and(COUNT, 1L))
            .node(LATER, (text, _, _) -> Update.of(LINES, text))
            .edge(START, "say")
            .fanOut("say", _ -> List.of(Send.to(LATER, "x".repeat(500))), LATER)
            .route("say", s -> s.get(COUNT) < 60 ? "say" : END, "say", END)
            .deferred("later")
            .edge("later", END)
            .compile();
    var found = replayed(other).divergence().orElseThrow();
    assertThat(found.step()).isEqualTo(45);
    assertThat(found.recorded()).contains("line 44");
    assertThat(found.now()).contains("other 44");
  }
}
