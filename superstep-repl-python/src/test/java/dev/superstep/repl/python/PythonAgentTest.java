package dev.superstep.repl.python;

import static dev.superstep.repl.python.Confined.interpreters;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.agent.Agent;
import dev.superstep.agent.AgentResult;
import dev.superstep.agent.run.Review;
import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.event.Event;
import dev.superstep.graph.RunOptions;
import dev.superstep.model.ChatModel;
import dev.superstep.model.ModelException;
import dev.superstep.model.ScriptedModel;
import dev.superstep.repl.SessionBackend;
import dev.superstep.repl.agent.ReplAgent;
import dev.superstep.repl.agent.ReplAgentBuilder;
import dev.superstep.repl.grant.Grants;
import dev.superstep.repl.host.TextSource;
import dev.superstep.repl.record.CallRecord;
import dev.superstep.repl.record.CellRecord;
import dev.superstep.repl.record.ReplayDivergence;
import dev.superstep.repl.trajectory.Trajectory;
import dev.superstep.run.Answers;
import dev.superstep.tool.Tool;
import dev.superstep.tool.ToolGate;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// An agent that works by cells in Python: the loop, its calls, records, questions and replays are
/// those of the built-in language.
@Tag("S29")
@Timeout(180)
class PythonAgentTest {
  private static final TextSource TEXT = TextSource.of("one 12\n\ntwo 30\n\nthree x\n".repeat(3));

  private static final List<String> CELLS =
      List.of(
          "parts = context.split('\\n\\n')\nprint(len(parts), len(context))\nlen(parts)",
          "notes = llm_batch([p for p in parts])\n"
              + "total = sum(int(n.value) for n in notes if n.ok)\n"
              + "failed = [n.error for n in notes if not n.ok]\n"
              + "total",
          "try:\n    llm_query('nothing')\nexcept HostError as e:\n    why = e.code",
          "lines = list(context.lines())\n"
              + "hits = context.grep('two', before=1)\n"
              + "pieces = context.chunks(10, overlap=2)\n"
              + "print(hits[0], context.find('two'), context.count('x'), context.head(5),"
              + " context.tail(5), [str(p) for p in pieces][:3])\n"
              + "emit('seen', {'lines': len(lines)})\n"
              + "def double(x): return 2 * x",
          "marked = tool('mark', name='b' * double(2))\nleft = budget()['model_calls']",
          "try:\n    llm_batch(['a'] * 90)\nexcept Exception:\n    pass\nprint('on')",
          "1 // 0",
          "answer([total, why, marked, left, {'parts': len(parts)}])");

  record Mark(String name) {}

  private static ChatModel driver() {
    return ScriptedModel.saying(
        CELLS.stream().map(cell -> "```python\n" + cell + "\n```").toArray(String[]::new));
  }

  private static ChatModel numbers() {
    return ScriptedModel.by(request -> {
      var digits = request.messages().getLast().text().replaceAll("\\D+", "");
      if (digits.isEmpty()) {
        throw new ModelException(ModelException.Kind.BAD_REQUEST, "no number");
      }
      return ScriptedModel.text(digits);
    });
  }

  private static ReplAgentBuilder settings(
      SessionBackend backend, ChatModel driver, ChatModel small) {
    var mark = Tool.of("mark", "Marks.", Mark.class, (given, _) -> "marked " + given.name());
    return ReplAgent.named("reader")
        .model(driver)
        .backend(backend)
        .grants(Grants.none().model("small", small).tools(mark))
        .context(TEXT);
  }

  private record Recorded(String answer, List<CellRecord> cells, List<String> told) {}

  private static Recorded run(SessionBackend backend) throws Exception {
    var told = new CopyOnWriteArrayList<String>();
    var options =
        RunOptions.defaults()
            .on("t", new InMemoryCheckpointer())
            .listener(event -> {
              if (event instanceof Event.NodeEmitted(_, _, _, var name, var value)) {
                told.add(name + " " + value);
              }
            });
    var agent = settings(backend, driver(), numbers()).build();
    var answer = agent.run("Sum?", options).answer();
    var state = agent.graph().state(options).orElseThrow().state();
    // The id of the run and the times of calls differ by themselves.
    var cells =
        Trajectory.of(state).cells().stream()
            .map(c ->
                new CellRecord(
                    "",
                    c.source(),
                    c.calls().stream().map(PythonAgentTest::withoutTime).toList(),
                    c.output(),
                    c.printed(),
                    c.code(),
                    c.changed(),
                    c.answer()))
            .toList();
    told.removeIf(event -> !event.startsWith("repl.emitted"));
    return new Recorded(answer, cells, told);
  }

  private static CallRecord withoutTime(CallRecord call) {
    var answers =
        call.answers().stream()
            .map(a -> new CallRecord.Answer(a.digest(), a.value(), a.code(), a.message(), null))
            .toList();
    return new CallRecord(call.kind(), call.name(), call.digest(), call.isBatch(), answers);
  }

  @Test
  void the_same_cells_make_the_same_calls_and_the_same_trajectory_in_both_languages()
      throws Exception {
    var python = run(Confined.python());
    var built = run(SessionBackend.ragsh());
    assertThat(python.answer()).isEqualTo(built.answer());
    assertThat(python.answer()).contains("126").contains("provider-error").contains("marked bbbb");
    assertThat(python.told()).isEqualTo(built.told()).isNotEmpty();
    for (int i = 0; i < CELLS.size(); i++) {
      assertThat(python.cells().get(i)).as(CELLS.get(i)).isEqualTo(built.cells().get(i));
    }
    assertThat(interpreters()).isEmpty();
  }

  @Test
  void a_trajectory_is_replayed_without_a_model() throws Exception {
    var python = Confined.python();
    var driver = driver();
    var options = RunOptions.defaults().on("t", new InMemoryCheckpointer());
    var agent = settings(python, driver, numbers()).build();
    var _ = agent.run("Sum?", options).answer();
    var recorded = Trajectory.of(agent.graph().state(options).orElseThrow().state());
    var silent = ScriptedModel.saying();
    var replayed = recorded.replay(settings(python, silent, silent), TEXT);
    assertThat(replayed.cells()).isEqualTo(recorded.cells());
    assertThat(interpreters()).isEmpty();
    var other = TextSource.of("one 13\n");
    assertThatThrownBy(() -> recorded.replay(settings(python, silent, silent), other))
        .isInstanceOf(ReplayDivergence.class);
    assertThat(interpreters()).isEmpty();
  }

  private static ReplAgentBuilder asking(
      SessionBackend backend, List<String> made, String... cells) {
    var driver =
        ScriptedModel.saying(
            Arrays.stream(cells).map(c -> "```\n" + c + "\n```").toArray(String[]::new));
    var small =
        ScriptedModel.by(request -> {
          var asked = request.messages().getLast().text();
          made.add(asked);
          if (asked.equals("die")) interpreters().forEach(ProcessHandle::destroyForcibly);
          return ScriptedModel.text("heard " + asked);
        });
    return ReplAgent.named("reader")
        .model(driver)
        .backend(backend)
        .grants(Grants.none().model("small", small));
  }

  @Test
  void a_process_that_is_killed_in_the_midst_of_a_cell_loses_that_cell_alone() throws Exception {
    var made = new CopyOnWriteArrayList<String>();
    var agent =
        asking(
                Confined.python(),
                made,
                "a = llm_query('first')",
                "b = llm_query('die')\nllm_query('never')",
                "answer([a, 'b' in globals(), budget()['model_calls']])")
            .build();
    var options = RunOptions.defaults().on("t", new InMemoryCheckpointer());
    var result = agent.run("?", options);
    assertThat(result.answer()).isEqualTo("[\"heard first\",false,62]");
    assertThat(made).containsExactly("first", "die");
    var state = agent.graph().state(options).orElseThrow().state();
    var recorded = Trajectory.of(state);
    assertThat(recorded.cells())
        .extracting(CellRecord::code)
        .containsExactly("", "E-ragsh-backend-lost", "");
    var silent = ScriptedModel.saying();
    var settings =
        ReplAgent.named("reader")
            .model(silent)
            .backend(Confined.python())
            .grants(Grants.none().model("small", silent));
    assertThat(recorded.replay(settings, TextSource.of("")).cells()).isEqualTo(recorded.cells());
  }

  @Test
  void a_run_that_is_cancelled_kills_its_interpreters() throws Exception {
    var runs = new CountDownLatch(1);
    var small =
        ScriptedModel.by(_ -> {
          runs.countDown();
          return ScriptedModel.text("ok");
        });
    var agent =
        ReplAgent.named("reader")
            .model(ScriptedModel.saying("```\nllm_query('x')\nwhile True: pass\n```"))
            .backend(Confined.python())
            .grants(Grants.none().model("small", small))
            .build();
    var failed = new AtomicReference<Throwable>();
    var running =
        Thread.ofPlatform()
            .start(() -> {
              try {
                var _ = agent.run("?");
              } catch (Throwable e) {
                failed.set(e);
              }
            });
    runs.await();
    running.interrupt();
    running.join();
    assertThat(failed.get()).isInstanceOf(InterruptedException.class);
    assertThat(interpreters()).isEmpty();
  }

  @Test
  void a_session_inside_of_a_session_has_an_interpreter_of_its_own() throws Exception {
    var driver =
        ScriptedModel.by(request -> {
          var asked = request.messages().getLast().text();
          return ScriptedModel.text(
              asked.contains("Inner?")
                  ? "```\nx = 2\nanswer(str(len(context)) + context.head(1))\n```"
                  : "```\n"
                      + "x = 1\n"
                      + "y = rlm_query('Inner?', context=context[1:4])\n"
                      + "answer([x, y])\n"
                      + "```");
        });
    var agent =
        ReplAgent.named("reader")
            .model(driver)
            .backend(Confined.python())
            .context(TextSource.of("abcdef"))
            .build();
    assertThat(agent.run("Outer?").answer()).isEqualTo("[1,\"3b\"]");
    assertThat(interpreters()).isEmpty();
  }

  @Test
  void a_tool_asks_a_person_in_the_midst_of_a_cell_and_nothing_is_repeated() throws Exception {
    var made = new CopyOnWriteArrayList<String>();
    var write =
        Tool.of(
            "write",
            "Writes.",
            Mark.class,
            (given, _) -> {
              made.add("write " + given.name());
              return "written";
            });
    var small =
        ScriptedModel.by(request -> {
          made.add(request.messages().getLast().text());
          return ScriptedModel.text("yes");
        });
    var python = Confined.python();
    var options = RunOptions.defaults().on("t", new InMemoryCheckpointer());
    Agent<String> agent =
        ReplAgent.named("reader")
            .model(
                ScriptedModel.saying(
                    "```\nx = llm_query('before')\n```",
                    "```\n"
                        + "y = llm_query('inside')\n"
                        + "z = tool('write', name=y)\n"
                        + "answer([x, y, z])\n"
                        + "```"))
            .backend(python)
            .grants(Grants.none().model("small", small).tools(write))
            .gate(ToolGate.open().confirming("write"))
            .build();
    var first = agent.run("?", options);
    assertThat(first).isInstanceOf(AgentResult.Waiting.class);
    assertThat(interpreters()).isEmpty();
    var waiting = (AgentResult.Waiting<String>) first;
    var yes = new Review.Decisions(List.of(new Review.Decision.Approve()));
    var question = waiting.questions().getFirst();
    var answered = agent.resume(Answers.of(question.id(), Review.QUESTION, yes), options);
    assertThat(answered.answer()).isEqualTo("[\"yes\",\"yes\",\"written\"]");
    assertThat(made).containsExactly("before", "inside", "write yes");
    assertThat(interpreters()).isEmpty();
  }
}
