package dev.superstep.repl.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.agent.AgentResult;
import dev.superstep.agent.run.Review;
import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.graph.RunOptions;
import dev.superstep.model.ScriptedModel;
import dev.superstep.repl.grant.Grants;
import dev.superstep.repl.host.TextSource;
import dev.superstep.repl.record.ReplayDivergence;
import dev.superstep.repl.trajectory.Trajectory;
import dev.superstep.run.Answers;
import dev.superstep.tool.Tool;
import dev.superstep.tool.ToolGate;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Sessions of people: each cell is a run on one thread.
@Timeout(60)
class TypedSessionTest {
  private record Sum(long sum) {}

  private final InMemoryCheckpointer store = new InMemoryCheckpointer();
  private final List<Long> kept = new CopyOnWriteArrayList<>();
  private final ScriptedModel small =
      ScriptedModel.by(
          request -> ScriptedModel.text("<" + request.messages().getLast().text() + ">"));

  private Tool write() {
    return Tool.of(
        "ledger_write",
        "Keeps a sum.",
        Sum.class,
        (sum, _) -> {
          kept.add(sum.sum());
          return "kept";
        });
  }

  private ReplAgentBuilder settings(Tool... tools) {
    return ReplAgent.named("desk")
        .model(small)
        .grants(Grants.none().model("small", small).tools(tools))
        .gate(ToolGate.open().confirming("ledger_write"));
  }

  private static TypedSession session(ReplAgentBuilder settings) {
    return TypedSession.of(settings, (name, _) -> TextSource.of("the text of " + name));
  }

  private RunOptions options(TypedSession session) {
    return session.on(RunOptions.defaults().on("t", store));
  }

  private AgentResult<String> run(TypedSession session, String cell) throws InterruptedException {
    return session.agent().run(cell, options(session));
  }

  private String value(TypedSession session, String cell) throws InterruptedException {
    var _ = run(session, cell);
    var shown = session.takeLast().orElseThrow().result().value();
    return shown == null ? "" : shown.text();
  }

  private TypedSession again(ReplAgentBuilder settings) {
    var session = session(settings);
    session.open(session.agent().graph().state(options(session)).orElseThrow().state());
    return session;
  }

  @Test
  @Tag("S1")
  @Tag("S2")
  void variables_stay_from_cell_to_cell_and_no_model_is_asked_for_a_cell() throws Exception {
    var session = session(settings());
    for (int i = 0; i < 30; i++) assertThat(value(session, "x = " + i + "\nx + 1")).isNotEmpty();
    assertThat(value(session, "answer(x)\nx")).isEqualTo("29");
    assertThat(value(session, "x + 1")).as("an answer ends nothing").isEqualTo("30");
    assertThat(small.calls()).isZero();
    assertThat(session.variables()).extracting(v -> v.name()).containsExactly("x");
  }

  @Test
  void a_cell_that_fails_is_told_and_the_session_goes_on() throws Exception {
    var session = session(settings());
    for (int i = 0; i < 9; i++) {
      var _ = run(session, "1 / 0");
      assertThat(session.takeLast().orElseThrow().result().error()).isNotNull();
    }
    assertThat(value(session, "1 + 1")).isEqualTo("2");
  }

  @Test
  void another_process_goes_on_with_the_variables_and_asks_nothing_again() throws Exception {
    var session = session(settings());
    var _ = run(session, "a = llm_query('one')\nf = lambda x: x + a");
    assertThat(small.calls()).isEqualTo(1);
    var later = again(settings());
    assertThat(later.names()).contains("a", "f", "llm_query", "context", "len");
    assertThat(later.left()).containsEntry("model_calls", 63L);
    assertThat(value(later, "f('two ')")).isEqualTo("'two <one>'");
    assertThat(small.calls()).isEqualTo(1);
    assertThat(later.members("a")).contains("split", "upper");
    assertThat(later.members("re")).contains("search");
    assertThat(later.members("nothing")).isEmpty();
  }

  @Test
  void an_approval_is_asked_in_the_midst_of_a_cell_and_may_come_in_another_process()
      throws Exception {
    var first = session(settings(write()));
    var _ = run(first, "n = 7");
    var waiting =
        (AgentResult.Waiting<String>) run(first, "m = llm_query('x')\ntool('ledger_write', sum=n)");
    assertThat(kept).isEmpty();
    var second = session(settings(write()));
    var yes = new Review.Decisions(List.of(new Review.Decision.Approve()));
    var question = waiting.questions().getFirst().id();
    var _ = second.agent().resume(Answers.of(question, Review.QUESTION, yes), options(second));
    assertThat(second.takeLast().orElseThrow().result().value().text()).isEqualTo("'kept'");
    assertThat(kept).containsExactly(7L);
    assertThat(small.calls()).as("what was answered is not asked again").isEqualTo(1);
    assertThat(value(second, "m")).isEqualTo("'<x>'");
  }

  @Test
  void a_cell_that_is_cancelled_leaves_the_variables_as_they_were() throws Exception {
    var runs = new CountDownLatch(1);
    var slow =
        Tool.of(
            "slow",
            "Takes its time.",
            Sum.class,
            (_, _) -> {
              runs.countDown();
              new CountDownLatch(1).await();
              return "late";
            });
    var session = session(settings(slow));
    var _ = run(session, "x = 1");
    try (var run = session.agent().stream("x = 2\ntool('slow', sum=1)", options(session))) {
      runs.await();
      run.cancel();
      assertThat(run.result()).isInstanceOf(AgentResult.Stopped.class);
    }
    assertThat(session.takeLast()).isEmpty();
    var _ = session.agent().giveUp(options(session));
    assertThat(value(session, "x")).isEqualTo("1");
    assertThat(value(again(settings(slow)), "x")).isEqualTo("1");
  }

  @Test
  @Tag("S26")
  void a_text_is_loaded_between_cells_and_what_ran_runs_again(@TempDir Path folder)
      throws Exception {
    var session = session(settings());
    assertThat(value(session, "before = len(context)\nbefore")).isEqualTo("0");
    var text = new TextOpener.Loaded("a.txt", "d1", TextSource.of("the text of a.txt"));
    var _ =
        session.agent().run("load", session.loading(RunOptions.defaults().on("t", store), text));
    assertThat(value(session, "x = llm_query(context.head(3))\nx + str(len(context))"))
        .isEqualTo("'<the>17'");
    assertThat(value(again(settings()), "str(context)")).isEqualTo("'the text of a.txt'");
    var state = session.agent().graph().state(options(session)).orElseThrow().state();
    Trajectory.of(state).write(folder);
    var read = Trajectory.read(folder);
    assertThat(read.cells()).hasSize(4);
    assertThat(read.replay(settings(), TextSource.of("the text of a.txt")).cells())
        .isEqualTo(read.cells());
    assertThat(small.calls()).isEqualTo(1);
    assertThatThrownBy(() -> read.replay(settings(), TextSource.of("another")))
        .isInstanceOf(ReplayDivergence.class);
  }
}
