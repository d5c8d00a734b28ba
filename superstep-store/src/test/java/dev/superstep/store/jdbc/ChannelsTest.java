package dev.superstep.store.jdbc;

import static dev.superstep.graph.Graph.START;
import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.graph.Graph;
import dev.superstep.graph.RunOptions;
import dev.superstep.node.Update;
import dev.superstep.run.Input;
import dev.superstep.run.Outcome;
import dev.superstep.state.Channel;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Channels whose stored form is more than their value.
@Tag("T76")
final class ChannelsTest {
  private static final Channel<Long, Long> DELTA =
      Channel.delta("delta", Long.class, Long.class, 7L, (a, b) -> a * 31 + b).snapshotEvery(5);
  private static final Channel<Long, Long> FOLDING =
      Channel.folding("folding", Long.class, Long.class, 7L, (a, b) -> a * 31 + b);
  private static final Channel<String, String> TOKEN = Channel.token("token", String.class);
  private static final Channel<List<Long>, Long> PARTS = Channel.gather("parts", Long.class, 2);
  private static final Channel<Long, Long> TAKEN = Channel.sum("taken");

  @TempDir Path folder;

  private static Graph graph() {
    return Graph.named("channels")
        .channels(DELTA, FOLDING, TOKEN, PARTS, TAKEN)
        .node(
            "write",
            (state, context) -> {
              long number = context.step() + state.get(DELTA) % 100;
              var update = Update.of(DELTA, number).and(FOLDING, number).and(TOKEN, "t");
              if (context.step() % 7 != 0) return update.and(PARTS, 1L).and(PARTS, 2L);
              return update
                  .and(Update.overwrite(DELTA, number))
                  .and(Update.overwrite(FOLDING, number));
            })
        .node("token", (state, _) -> Update.of(TAKEN, (long) state.get(TOKEN).length()))
        .node("parts", (state, _) -> Update.of(TAKEN, (long) state.get(PARTS).size()))
        .edge(START, "write")
        .trigger("token", TOKEN)
        .trigger("parts", PARTS)
        .compile();
  }

  @Test
  void deltas_tokens_and_barriers_survive_closing_and_reopening_the_file() throws Exception {
    for (int turn = 0; turn < 40; turn++) {
      try (var store = SqliteCheckpointer.open(folder.resolve("runs.db"))) {
        var options = RunOptions.thread("t").checkpoints(store);
        var before = graph().state(options).map(s -> s.state().get(TAKEN)).orElse(0L);
        var end = (Outcome.Completed) graph().invoke(Input.none(), options);
        var state = end.state();
        assertThat(state.get(DELTA)).isEqualTo(state.get(FOLDING));
        assertThat(state.version(DELTA)).isEqualTo(state.version(FOLDING));
        assertThat(state.get(TAKEN) - before).isIn(1L, 3L);
        assertThat(state.find(TOKEN)).isEmpty();
        assertThat(state.find(PARTS)).isEmpty();
      }
    }
  }
}
