package dev.superstep.rag;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.checkpoint.Checkpointer;
import dev.superstep.graph.RunOptions;
import dev.superstep.graph.Threads;
import dev.superstep.model.ScriptedModel;
import dev.superstep.node.Update;
import dev.superstep.rag.error.RagRunFailed;
import dev.superstep.run.Answers;
import dev.superstep.run.Outcome;
import dev.superstep.store.jdbc.SqliteCheckpointer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Graphs as text on SQLite: stopped in one program, which compiles the text, and continued in
/// another, which compiles it again.
class CrossingsTest {
  private static final String NESTED =
      """
      graph outer {
        defaults { durability %s }
        channel trace append of text
        channel said overwrite of text
        start { sends [send part "parts"] next a }
        node a { kind function function "a" }
        node part { kind subgraph graph "inner" argument int }
        join [a, part] -> close
        node close { kind function function "close" }
      }
      graph inner {
        channel trace append of text
        start work
        node work { kind function function "work" next ask }
        node ask { kind human prompt "Good?" options ["yes", "no"] routes { yes -> good  no -> END } }
        node good { kind function function "good" }
      }
      """;

  @TempDir Path folder;
  private final Bench bench = new Bench().steps("a", "close", "work", "good");

  @BeforeEach
  void parts() {
    bench.mapping("parts", _ -> List.of(1, 2));
  }

  private interface Use<T> {
    T of(RagGraph graph, RunOptions options, Checkpointer store) throws Exception;
  }

  /// A program of its own: it opens the file, compiles the text, and closes the file at its end.
  private <T> T program(String text, Use<T> use) throws Exception {
    try (var store = SqliteCheckpointer.open(folder.resolve("threads.db"))) {
      return use.of(bench.graph(text), RunOptions.thread("t").checkpoints(store), store);
    }
  }

  private static List<?> trace(RagGraph graph, Outcome outcome) {
    return (List<?>) graph.value(Bench.end(outcome), "trace").orElseThrow();
  }

  @ParameterizedTest
  @ValueSource(strings = {"sync", "async", "exit"})
  void questions_of_sent_graphs_are_answered_one_by_one_in_other_programs(String durability)
      throws Exception {
    var text = NESTED.formatted(durability);
    var questions =
        program(
            text,
            (graph, options, _) ->
                ((Outcome.Interrupted) graph.run(graph.input(Map.of()), options)).questions());
    assertThat(questions).hasSize(2);
    assertThat(bench.ran).containsExactlyInAnyOrder("a", "work", "work");
    var left =
        program(
            text,
            (graph, options, _) ->
                ((Outcome.Interrupted)
                        graph.resume(Answers.of(questions.get(0).id(), "yes"), options))
                    .questions());
    assertThat(left).hasSize(1);
    var end =
        program(
            text,
            (graph, options, _) ->
                trace(graph, graph.resume(Answers.of(left.getFirst().id(), "no"), options)));
    assertThat(end.stream().filter("good"::equals)).hasSize(1);
    assertThat(end.getLast()).isEqualTo("close");
    assertThat(bench.ran)
        .as("nothing ran twice")
        .containsExactlyInAnyOrder("a", "work", "work", "good", "close");
  }

  private static final String ASKING =
      """
      graph g {
        channel trace append of text
        start a
        node a { kind function function "a" next ask }
        node ask { kind interrupt prompt "On?" options ["yes", "no"] routes { yes -> good  no -> close } }
        node good { kind function function "good" }
        node close { kind function function "close" }
      }
      """;

  @Test
  void a_fork_at_a_question_may_be_answered_in_another_way() throws Exception {
    program(ASKING, (graph, options, _) -> graph.run(graph.input(Map.of()), options));
    program(
        ASKING,
        (graph, options, store) -> {
          var at = graph.graph().history(Optional.empty(), 1, options).getFirst();
          Threads.in(store).fork("t", at.id(), "u");
          return at;
        });
    assertThat(answered("t", "yes")).containsExactly("a", "good");
    assertThat(answered("u", "no")).containsExactly("a", "close");
    assertThat(bench.ran).containsExactly("a", "good", "close");
  }

  @SuppressWarnings("unchecked")
  private List<Object> answered(String thread, String answer) throws Exception {
    return program(
        ASKING,
        (graph, _, store) -> {
          var options = RunOptions.thread(thread).checkpoints(store);
          var asked = (Outcome.Interrupted) graph.resume(Answers.none(), options);
          var id = asked.questions().getFirst().id();
          return (List<Object>) trace(graph, graph.resume(Answers.of(id, answer), options));
        });
  }

  @Test
  void a_failed_send_is_done_again_and_finished_ones_are_not() throws Exception {
    var fails = new AtomicInteger(1);
    bench.mapping("numbers", _ -> List.of(1, 2, 3));
    bench.sent(
        "each",
        (argument, _, _) -> {
          bench.ran.add("each " + argument);
          if (argument.equals(2L) && fails.getAndDecrement() > 0) throw new IOException("down");
          return Update.of(Bench.TRACE, "each " + argument);
        });
    var text =
        """
        graph g {
          channel trace append of text
          start { sends [send each "numbers"] }
          node each { kind function function "each" argument int }
        }
        """;
    assertThatThrownBy(
            () -> program(text, (graph, options, _) -> graph.run(graph.input(Map.of()), options)))
        .isInstanceOf(RagRunFailed.class)
        .hasMessage("desk.rag:4:8: node `each` failed in step 1: down");
    var end =
        program(text, (graph, options, _) -> trace(graph, graph.resume(Answers.none(), options)));
    assertThat(end).isEqualTo(List.of("each 1", "each 2", "each 3"));
    assertThat(bench.ran).containsExactlyInAnyOrder("each 1", "each 2", "each 3", "each 2");
  }

  @Test
  void a_run_that_was_cancelled_is_resumed_where_it_was() throws Exception {
    var started = new CountDownLatch(1);
    var calls = new AtomicInteger();
    bench.function(
        "wait",
        (_, _) -> {
          if (calls.incrementAndGet() == 1) {
            started.countDown();
            new CountDownLatch(1).await();
          }
          return Update.of(Bench.TRACE, "waited");
        });
    var text =
        """
        graph g {
          channel trace append of text
          start a  a -> w
          node a { kind function function "a" }
          node w { kind function function "wait" }
        }
        """;
    var stopped =
        program(
            text,
            (graph, options, _) -> {
              var run = graph.graph().stream(graph.input(Map.of()), graph.options(options));
              started.await();
              run.cancel();
              return run.outcome();
            });
    assertThat(((Outcome.Stopped) stopped).reason()).isEqualTo(Outcome.Reason.CANCELLED);
    var end =
        program(text, (graph, options, _) -> trace(graph, graph.resume(Answers.none(), options)));
    assertThat(end).isEqualTo(List.of("a", "waited"));
    assertThat(bench.ran).containsExactly("a");
  }

  @Test
  void a_budget_that_stopped_a_run_still_stops_it_in_another_program() throws Exception {
    var model = ScriptedModel.by(_ -> ScriptedModel.text("ok"));
    bench.model("m", model).router("again", _ -> "again");
    var text =
        """
        graph g {
          limits { model_calls %d }
          channel trace append of text
          start m
          node m { model "m" prompt "?" next w }
          node w { kind agent model "m" prompt "?" next a }
          node a { kind function function "a" router "again" routes { again -> m  out -> END } }
        }
        """;
    assertThatThrownBy(() ->
            program(
                text.formatted(4),
                (graph, options, _) -> graph.run(graph.input(Map.of()), options)))
        .isInstanceOf(RagRunFailed.class);
    assertThat(model.calls()).isEqualTo(4);
    assertThatThrownBy(() ->
            program(
                text.formatted(4), (graph, options, _) -> graph.resume(Answers.none(), options)))
        .isInstanceOf(RagRunFailed.class);
    assertThat(model.calls()).as("no call more").isEqualTo(4);
    assertThatThrownBy(() ->
            program(
                text.formatted(6), (graph, options, _) -> graph.resume(Answers.none(), options)))
        .isInstanceOf(RagRunFailed.class);
    assertThat(model.calls()).as("two calls more are allowed now").isEqualTo(6);
  }

  @Test
  void a_reply_that_was_saved_is_not_asked_for_again() throws Exception {
    var model = ScriptedModel.by(_ -> ScriptedModel.text("{\"route\":1}"));
    bench.model("m", model);
    var text =
        """
        graph g {
          channel trace append of text
          start m
          node m { model "m" prompt "?" routes { yes -> a  no -> END } }
          node a { kind function function "a" }
        }
        """;
    for (int i = 0; i < 2; i++) {
      int run = i;
      assertThatThrownBy(() ->
              program(
                  text,
                  (graph, options, _) ->
                      run == 0
                          ? graph.run(graph.input(Map.of()), options)
                          : graph.resume(Answers.none(), options)))
          .hasMessageContaining("for which it has no route");
    }
    assertThat(model.calls()).isEqualTo(1);
  }
}
