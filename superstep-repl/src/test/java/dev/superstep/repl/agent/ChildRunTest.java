package dev.superstep.repl.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.agent.Agent;
import dev.superstep.agent.AgentResult;
import dev.superstep.agent.run.AgentEvent;
import dev.superstep.agent.run.Review;
import dev.superstep.agent.run.Review.Decision;
import dev.superstep.budget.Spend;
import dev.superstep.checkpoint.Checkpointer;
import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.event.Event;
import dev.superstep.graph.RunOptions;
import dev.superstep.message.AssistantMessage;
import dev.superstep.message.ToolCall;
import dev.superstep.message.ToolMessage;
import dev.superstep.model.ChatModel;
import dev.superstep.model.ChatReply;
import dev.superstep.model.ChatRequest;
import dev.superstep.model.ScriptedModel;
import dev.superstep.model.Usage;
import dev.superstep.repl.grant.Grants;
import dev.superstep.run.Answers;
import dev.superstep.store.jdbc.SqliteCheckpointer;
import dev.superstep.tool.Tool;
import dev.superstep.tool.ToolGate;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Agents that a cell calls are a part of the run: what they have done is kept, they ask by it, and
/// what they spend counts.
@Tag("S9")
class ChildRunTest {
  private static final Usage USED = new Usage(10, 0, 0, 5, 0, false);

  record Mark(String name) {}

  /// The calls that were made, in order.
  private final List<String> done = new CopyOnWriteArrayList<>();

  /// The call that breaks the process; empty for nothing.
  private volatile String deadly = "";

  @TempDir private Path folder;

  private String note(String what) {
    if (what.equals(deadly)) throw new OutOfMemoryError("the process dies");
    done.add(what);
    return "done " + what;
  }

  private static ChatReply reply(AssistantMessage message, ChatReply.Finish finish) {
    return ScriptedModel.reply(message, USED, finish);
  }

  /// A model that marks what it was given twice, and then says so.
  private ChatModel marking() {
    return ScriptedModel.by(request -> {
      var task = request.messages().get(0).text();
      int marks = marks(request);
      note(task + " turn " + (marks + 1));
      if (marks == 2) {
        var text = new AssistantMessage("", task + " is done", List.of());
        return reply(text, ChatReply.Finish.STOP);
      }
      var call = new ToolCall("c" + marks, "mark", "{\"name\":\"" + task + " " + marks + "\"}");
      return reply(new AssistantMessage("", "", List.of(call)), ChatReply.Finish.TOOL_CALLS);
    });
  }

  private static int marks(ChatRequest request) {
    return (int) request.messages().stream().filter(ToolMessage.class::isInstance).count();
  }

  private Agent<String> worker() {
    var mark = Tool.of("mark", "Marks.", Mark.class, (given, _) -> note("mark " + given.name()));
    return Agent.named("worker").model(marking()).tools(mark).build();
  }

  private Agent<String> boss(ToolGate gate, String... cells) {
    var replies = new ArrayList<String>();
    for (var cell : cells) replies.add("```ragsh\n" + cell + "\n```");
    var driver = ScriptedModel.saying(replies.toArray(String[]::new));
    return ReplAgent.named("boss")
        .model(driver)
        .grants(Grants.none().agent("worker", worker()))
        .gate(gate)
        .build();
  }

  private static RunOptions on(Checkpointer store) {
    return RunOptions.defaults().on("t", store);
  }

  private Spend undisturbed(String cell) throws Exception {
    var spent = boss(ToolGate.open(), cell).run("?", on(new InMemoryCheckpointer())).report();
    done.clear();
    return spent.spent();
  }

  @Test
  @Tag("S20")
  void a_child_that_was_killed_goes_on_where_it_was_and_all_it_spent_counts() throws Exception {
    var cell = "answer(agent('worker', 'a'))";
    var spent = undisturbed(cell);
    assertThat(spent.calls()).isEqualTo(4);
    var file = folder.resolve("threads.db");
    for (var death : List.of("a turn 2", "mark a 1", "a turn 3")) {
      done.clear();
      deadly = death;
      var own = Path.of(file + death.replace(' ', '-'));
      try (var store = SqliteCheckpointer.open(own)) {
        assertThatThrownBy(() -> boss(ToolGate.open(), cell).run("?", on(store)))
            .isInstanceOf(Throwable.class);
      }
      deadly = "";
      try (var store = SqliteCheckpointer.open(own)) {
        var result = boss(ToolGate.open()).resume(Answers.none(), on(store));
        assertThat(result.answer()).isEqualTo("a is done");
        var all = result.report().spent();
        // A call of a model that was sent counts, whatever came of it.
        if (death.startsWith("mark")) assertThat(all).as("killed at " + death).isEqualTo(spent);
        else assertThat(all.calls()).as("killed at " + death).isEqualTo(spent.calls() + 1);
      }
      assertThat(done).containsExactly("a turn 1", "mark a 0", "a turn 2", "mark a 1", "a turn 3");
    }
  }

  @Test
  @Tag("S8")
  void of_a_batch_of_children_each_goes_on_where_it_was() throws Exception {
    var cell =
        "r = agent_batch([{'name': 'worker', 'input': x} for x in ['a', 'b', 'c']])\n"
            + "answer([x.value for x in r])";
    var spent = undisturbed(cell);
    deadly = "mark b 1";
    var store = new InMemoryCheckpointer();
    assertThatThrownBy(() -> boss(ToolGate.open(), cell).run("?", on(store)))
        .isInstanceOf(Throwable.class);
    deadly = "";
    var result = boss(ToolGate.open()).resume(Answers.none(), on(store));
    assertThat(result.answer()).isEqualTo("[\"a is done\",\"b is done\",\"c is done\"]");
    assertThat(done).doesNotHaveDuplicates().hasSize(15);
    assertThat(result.report().spent()).isEqualTo(spent);
  }

  @Test
  void a_question_in_a_child_is_one_of_the_whole_run_and_is_answered_elsewhere() throws Exception {
    var cell =
        "x = agent('worker', 'a')\n"
            + "y = [r.value for r in agent_batch([{'name': 'worker', 'input': 'b'}, {'name':"
            + " 'worker', 'input': 'c'}])]\n"
            + "answer([x] + y)";
    var spent = undisturbed(cell);
    var gate = ToolGate.open().confirming("mark");
    var file = folder.resolve("threads.db");
    int asked = 0;
    String answer = "";
    Spend all = Spend.NONE;
    while (answer.isEmpty()) {
      try (var store = SqliteCheckpointer.open(file)) {
        var agent = asked == 0 ? boss(gate, cell) : boss(gate);
        var state = asked == 0 ? null : agent.graph().state(on(store)).orElseThrow();
        var result =
            state == null
                ? agent.run("?", on(store))
                : agent.resume(
                    Answers.of(
                        state.questions().getFirst().id(),
                        Review.QUESTION,
                        Review.Decisions.of(new Decision.Approve())),
                    on(store));
        asked++;
        if (result instanceof AgentResult.Answered<String>(var text, var report)) {
          answer = text;
          all = report.spent();
        }
      }
    }
    assertThat(answer).isEqualTo("[\"a is done\",\"b is done\",\"c is done\"]");
    assertThat(asked).as("six marks, each approved by itself").isEqualTo(7);
    assertThat(done).doesNotHaveDuplicates().hasSize(15);
    assertThat(all).isEqualTo(spent);
  }

  @Test
  @Tag("S25")
  void events_of_a_child_name_the_runs_around_it() throws Exception {
    var begun = new CopyOnWriteArrayList<AgentEvent.AgentStarted>();
    var options =
        on(new InMemoryCheckpointer())
            .listener(event -> {
              if (event instanceof Event.NodeEmitted(_, _, _, var name, var payload)
                  && name.equals("agent.started")) {
                begun.add(payload.as(AgentEvent.AgentStarted.class));
              }
            });
    boss(ToolGate.open(), "answer(agent('worker', 'a'))").run("?", options);
    assertThat(begun).extracting(AgentEvent.AgentStarted::agent).containsExactly("boss", "worker");
    var boss = begun.getFirst();
    assertThat(begun.getLast().parent()).isEqualTo(boss.run());
    assertThat(begun.getLast().root()).isEqualTo(boss.run());
  }

  @Test
  void a_session_inside_goes_on_where_it_was_and_has_no_text_of_the_one_around() throws Exception {
    var small =
        ScriptedModel.by(request -> {
          var asked = request.messages().getLast().text();
          note(asked);
          return reply(new AssistantMessage("", asked + "!", List.of()), ChatReply.Finish.STOP);
        });
    var driver =
        ScriptedModel.by(request -> {
          var last = request.messages().getLast().text();
          note("turn: " + last.lines().toList().getLast());
          return ScriptedModel.text(
              last.endsWith("Outer?")
                  ? "```\nn = len(str(context))\nanswer([n, rlm_query('Inner?')])\n```"
                  : "```\nx = llm_query('one')\ny = llm_query('two')\n"
                      + "answer([len(context), x, y])\n```");
        });
    var agent =
        ReplAgent.named("reader").model(driver).grants(Grants.none().model("small", small)).build();
    var options =
        on(new InMemoryCheckpointer())
            .with(ReplAgent.CONTEXT, dev.superstep.repl.host.TextSource.of("some text"));
    deadly = "two";
    assertThatThrownBy(() -> agent.run("Outer?", options)).hasStackTraceContaining("dies");
    assertThat(done).containsExactly("turn: Outer?", "turn: Inner?", "one");
    deadly = "";
    var result = agent.resume(Answers.none(), options);
    assertThat(result.answer()).isEqualTo("[9,\"[0,\\\"one!\\\",\\\"two!\\\"]\"]");
    assertThat(done).containsExactly("turn: Outer?", "turn: Inner?", "one", "two");
    assertThat(result.report().spent().calls()).as("one of them twice").isEqualTo(5);
  }
}
