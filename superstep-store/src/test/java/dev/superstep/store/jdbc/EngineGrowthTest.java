package dev.superstep.store.jdbc;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;
import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.event.Redaction;
import dev.superstep.graph.Graph;
import dev.superstep.graph.RunOptions;
import dev.superstep.node.Update;
import dev.superstep.run.Input;
import dev.superstep.run.Outcome;
import dev.superstep.state.Channel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What whole runs take on disk.
@Tag("T90")
final class EngineGrowthTest {
  private static final int KIB = 1_024;
  private static final Channel<List<String>, String> LOG = Channel.append("log", String.class);

  @TempDir Path folder;

  /// The bytes on disk of a loop that adds one message a superstep.
  private long bytes(int steps, boolean journal) throws Exception {
    var graph =
        Graph.named("talk")
            .channels(LOG)
            .node("say", (state, _) -> Update.of(LOG, state.get(LOG).size() + "x".repeat(KIB - 5)))
            .edge(START, "say")
            .route("say", s -> s.get(LOG).size() < steps ? "say" : END, "say", END)
            .compile();
    var file = folder.resolve("threads-" + steps + journal + ".db");
    try (var store = SqliteCheckpointer.open(file)) {
      var options = RunOptions.thread("t").checkpoints(store).stepLimit(steps + 1);
      var outcome =
          graph.invoke(Input.none(), journal ? options.journal(Redaction.none()) : options);
      assertThat(((Outcome.Completed) outcome).state().get(LOG)).hasSize(steps);
    }
    return Files.size(file);
  }

  @Test
  void four_times_the_steps_take_little_more_than_four_times_the_bytes() throws Exception {
    assertThat(bytes(400, false)).isLessThan(bytes(100, false) * 44 / 10);
  }

  @Test
  void five_thousand_messages_take_less_than_three_times_their_size() throws Exception {
    assertThat(bytes(5_000, false)).isLessThan(3L * 5_000 * KIB);
  }

  @Test
  void a_journal_adds_a_fixed_amount_a_step() throws Exception {
    assertThat(bytes(400, true)).isLessThan(bytes(100, true) * 44 / 10);
  }
}
