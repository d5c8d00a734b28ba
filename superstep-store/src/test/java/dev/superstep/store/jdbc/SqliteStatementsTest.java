package dev.superstep.store.jdbc;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;
import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.graph.Graph;
import dev.superstep.graph.RunOptions;
import dev.superstep.node.Question;
import dev.superstep.node.Update;
import dev.superstep.run.Answers;
import dev.superstep.run.Input;
import dev.superstep.state.Channel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Counts the statements of a run, with `begin` and `commit`: unlike times, they do not depend on
/// the machine.
final class SqliteStatementsTest {
  private static final Channel<Long, Long> N = Channel.latest("n", Long.class);
  private static final Channel<List<String>, String> SAID = Channel.append("said", String.class);
  private static final Question<String, Long> MORE = Question.of("more", String.class, Long.class);

  @TempDir Path folder;
  private SqliteCheckpointer store;

  @BeforeEach
  void open() {
    store = SqliteCheckpointer.open(folder.resolve("runs.db"));
  }

  @AfterEach
  void close() {
    store.close();
  }

  private RunOptions options(String thread) {
    // A run makes the writes that wait for it, too, and so also a renewal that falls due meanwhile.
    return RunOptions.thread(thread)
        .checkpoints(store)
        .stepLimit(1_000)
        .lease(Duration.ofHours(10));
  }

  private static Graph conversation(int steps) {
    return Graph.named("conversation")
        .channels(SAID)
        .node("say", (_, _) -> Update.of(SAID, "a line"))
        .edge(START, "say")
        .route("say", state -> state.get(SAID).size() < steps ? "say" : END, "say", END)
        .compile();
  }

  private static Graph asking() {
    return Graph.named("asking")
        .channels(N)
        .questions(MORE)
        .node("draft", (state, _) -> Update.of(N, state.get(N) + 1))
        .node(
            "ask", (state, context) -> Update.of(N, state.get(N) + context.interrupt(MORE, "more")))
        .edge(START, "draft")
        .edge("draft", "ask")
        .edge("ask", END)
        .compile();
  }

  private long statements(int steps, String thread) throws Exception {
    return StatementCount.of(() -> conversation(steps).invoke(Input.none(), options(thread)));
  }

  @Test
  void a_superstep_that_appends_to_a_list_takes_six() throws Exception {
    statements(3, "names are known from here on");
    assertThat(statements(60, "long") - statements(10, "short")).isEqualTo(50 * 6);
  }

  @Test
  void a_run_that_asks_takes_21_and_its_resumption_17() throws Exception {
    var graph = asking();
    var first = options("names are known from here on");
    graph.invoke(Input.of(N, 0L), first);
    graph.resume(Answers.to(MORE, 1L), first);
    assertThat(StatementCount.of(() -> graph.invoke(Input.of(N, 0L), options("thread"))))
        .isEqualTo(21);
    assertThat(StatementCount.of(() -> graph.resume(Answers.to(MORE, 1L), options("thread"))))
        .isEqualTo(17);
  }

  @Test
  void a_run_that_asks_and_its_resumption_take_five_transactions() throws Exception {
    var graph = asking();
    // The input with the lease, a superstep, and the question that gives the lease back.
    assertThat(StatementCount.commits(() -> graph.invoke(Input.of(N, 0L), options("thread"))))
        .isEqualTo(3);
    // The answer with the lease, and the end that gives it back.
    assertThat(StatementCount.commits(() -> graph.resume(Answers.to(MORE, 1L), options("thread"))))
        .isEqualTo(2);
  }
}
