package dev.superstep.repl.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.agent.Agent;
import dev.superstep.agent.AgentResult;
import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.event.Event;
import dev.superstep.graph.RunOptions;
import dev.superstep.json.Json;
import dev.superstep.message.AssistantMessage;
import dev.superstep.model.ChatModel;
import dev.superstep.model.ChatReply;
import dev.superstep.model.ModelException;
import dev.superstep.model.ModelUse;
import dev.superstep.model.ScriptedModel;
import dev.superstep.model.Usage;
import dev.superstep.repl.grant.Grants;
import dev.superstep.repl.grant.ReplLimits;
import dev.superstep.repl.host.TextSource;
import dev.superstep.tool.Tool;
import dev.superstep.tool.ToolGate;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// An agent that works by cells, with a scripted model that writes them.
class ReplAgentTest {
  private static final String DOCUMENT = "one 12\n\ntwo 30\n\nthree x\n";

  record Sum(long sum) {}

  private static ScriptedModel driver(String... cells) {
    var replies = new ArrayList<String>();
    for (var cell : cells) replies.add("Next:\n```ragsh\n" + cell + "\n```\n");
    return ScriptedModel.saying(replies.toArray(String[]::new));
  }

  /// Says the number in a text; fails where there is none.
  private static ChatModel numbers() {
    return ScriptedModel.by(request -> {
      var digits = request.messages().getLast().text().replaceAll("\\D+", "");
      if (digits.isEmpty()) {
        throw new ModelException(ModelException.Kind.BAD_REQUEST, "no number");
      }
      return ScriptedModel.text(digits);
    });
  }

  private static RunOptions about(String text) {
    return RunOptions.defaults().with(ReplAgent.CONTEXT, TextSource.of(text));
  }

  private static Agent<String> agent(ChatModel driver, Grants grants) {
    return ReplAgent.named("reader").model(driver).grants(grants).build();
  }

  @Test
  @Tag("S2")
  @Tag("S3")
  @Tag("S20")
  void variables_stay_from_cell_to_cell_and_an_answer_ends_the_run() throws Exception {
    var driver =
        driver(
            "parts = context.split('\\n\\n')\nprint(len(parts))",
            "total = sum(int(x) for x in re.findall(r'\\d+', str(context)))",
            "answer(f'{len(parts)} parts, {total}')");
    var result = agent(driver, Grants.none()).run("Sum?", about(DOCUMENT));
    assertThat(result.answer()).isEqualTo("3 parts, 42");
    assertThat(driver.calls()).isEqualTo(3);
    var told = driver.requests().get(1).messages().getLast().text();
    assertThat(told).startsWith("Cell 1 ran.\nOutput:\n3\n").contains("parts (list, 3)");
  }

  @Test
  @Tag("S5")
  void the_model_sees_the_length_of_the_text_and_not_the_text() throws Exception {
    var secret = "needle ".repeat(10_000);
    var driver = driver("answer(context.count('needle'))");
    var result = agent(driver, Grants.none()).run("How many?", about(secret));
    assertThat(result.answer()).isEqualTo("10000");
    var asked = driver.requests().getFirst();
    assertThat(asked.messages().getLast().text())
        .isEqualTo("`context` is a text of 70,000 characters.\n\nHow many?");
    assertThat(asked.messages()).noneMatch(m -> m.text().contains("needle "));
    assertThat(asked.tools()).isEmpty();
  }

  @Test
  @Tag("S5")
  @Tag("W14")
  void a_cell_knows_its_run_its_task_what_was_said_before_and_the_state_that_it_is_given()
      throws Exception {
    var driver =
        driver(
            "answer('first')",
            """
            answer([run["agent"], run["thread"], [m["content"] for m in messages],
                    [m["role"] for m in history], state["claims"][0]])
            """);
    var agent = agent(driver, Grants.none());
    var options =
        RunOptions.thread("t")
            .checkpoints(new InMemoryCheckpointer())
            .with(ReplAgent.STATE, Json.parse("{\"claims\":[7]}"));
    agent.run("Before?", options);
    assertThat(agent.run("Now?", options).answer())
        .isEqualTo("[\"reader\",\"t\",[\"Now?\"],[\"user\",\"assistant\",\"tool\"],7]");
  }

  @Test
  @Tag("S5")
  void a_name_that_the_host_gives_cannot_be_bound() throws Exception {
    var driver = driver("state = 1", "messages = []", "answer(len(messages))");
    assertThat(agent(driver, Grants.none()).run("?").answer()).isEqualTo("1");
    assertThat(driver.requests().get(1).messages().getLast().text()).startsWith("Cell 1 ran.");
    assertThat(driver.requests().get(2).messages().getLast().text())
        .contains("`messages` is reserved and cannot be bound");
  }

  @Test
  @Tag("S8")
  @Tag("W14")
  void a_batch_keeps_its_order_and_one_failure_is_the_result_of_its_item() throws Exception {
    var driver =
        driver(
            """
            notes = llm_batch(["Amounts in: " + p for p in context.split("\\n\\n")])
            total = 0
            for n in notes:
                if n.ok:
                    total += int(n.value)
                else:
                    emit("skipped", {"why": n.error})
            answer([[n.ok for n in notes], total])
            """);
    var result =
        agent(driver, Grants.none().model("small", numbers())).run("Sum?", about(DOCUMENT));
    assertThat(result.answer()).isEqualTo("[[true,true,false],42]");
  }

  @Test
  @Tag("S18")
  void a_limit_on_calls_ends_the_cell_and_makes_no_call() throws Exception {
    var asked = new CopyOnWriteArrayList<String>();
    var small =
        ScriptedModel.by(request -> {
          asked.add(request.messages().getLast().text());
          return ScriptedModel.text("ok");
        });
    var driver =
        driver(
            "try:\n    llm_batch(['a', 'b', 'c'])\nexcept Exception:\n    pass\nprint('on')",
            "answer([llm_query('d'), budget()['model_calls']])");
    var agent =
        ReplAgent.named("reader")
            .model(driver)
            .grants(Grants.none().model("small", small))
            .limits(ReplLimits.standard().withCalls(2, 0, 0, 0))
            .build();
    assertThat(agent.run("?").answer()).isEqualTo("[\"ok\",1]");
    assertThat(asked).containsExactly("d");
    assertThat(driver.requests().get(1).messages().getLast().text())
        .contains("E-ragsh-call-limit")
        .doesNotContain("on\n");
  }

  @Test
  @Tag("W13")
  void a_model_that_a_cell_asks_counts_as_one_that_is_asked_directly() throws Exception {
    var usage = new Usage(120, 0, 0, 30, 0, false);
    var message = new AssistantMessage("", "yes", List.of());
    ChatModel small =
        ScriptedModel.by(_ -> ScriptedModel.reply(message, usage, ChatReply.Finish.STOP));
    var direct = Agent.named("direct").model(small).build().run("Is it?").report().spent();
    var told = new CopyOnWriteArrayList<String>();
    var result =
        agent(driver("answer(llm_query('Is it?'))"), Grants.none().model("small", small))
            .run(
                "?",
                RunOptions.defaults()
                    .listener(event -> {
                      if (event instanceof Event.NodeEmitted(_, _, _, var name, _)) told.add(name);
                    }));
    var spent = result.report().spent();
    assertThat(spent.usage()).isEqualTo(direct.usage());
    assertThat(spent.calls()).isEqualTo(direct.calls() + 1);
    assertThat(told).filteredOn(ModelUse.RECORDED::equals).hasSize(2);
  }

  @Test
  @Tag("W15")
  void ten_thousand_calls_leave_no_thread_behind() throws Exception {
    var tool = Tool.of("mark", "Marks.", Sum.class, (sum, _) -> String.valueOf(sum.sum()));
    var driver =
        driver("n = 0\nfor i in range(10000):\n    n += int(tool('mark', sum=1))\nanswer(n)");
    var agent =
        ReplAgent.named("reader")
            .model(driver)
            .grants(Grants.none().tools(tool))
            .limits(ReplLimits.standard().withCalls(0, 10_000, 0, 0))
            .build();
    int before = Thread.activeCount();
    assertThat(agent.run("?").answer()).isEqualTo("10000");
    assertThat(Thread.activeCount()).isLessThan(before + 10);
  }

  @Test
  @Tag("S14")
  void a_tool_is_called_past_its_schema_and_the_gate() throws Exception {
    var kept = new CopyOnWriteArrayList<Long>();
    var write =
        Tool.of(
            "ledger_write",
            "Keeps a sum.",
            Sum.class,
            (sum, _) -> {
              kept.add(sum.sum());
              return "kept";
            });
    var other = Tool.of("ledger_clear", "Clears.", Sum.class, (_, _) -> "cleared");
    var driver =
        driver(
            """
            seen = [tool("ledger_write", sum=42)]
            for bad in [{"tool": "ledger_write", "arguments": {"sum": "x"}},
                        {"tool": "ledger_clear", "arguments": {"sum": 1}},
                        {"tool": "ledger_writ", "arguments": {}}]:
                try:
                    tool_call(bad)
                except HostError as e:
                    seen.append(e.code)
            answer(seen)
            """);
    var agent =
        ReplAgent.named("reader")
            .model(driver)
            .grants(Grants.none().tools(write, other))
            .gate(ToolGate.open().without("ledger_clear"))
            .build();
    assertThat(agent.run("?").answer())
        .isEqualTo("[\"kept\",\"tool-error\",\"tool-error\",\"unknown-tool\"]");
    assertThat(kept).containsExactly(42L);
  }

  @Test
  @Tag("S21")
  void a_reply_without_a_fence_earns_one_nudge_and_is_then_the_answer() throws Exception {
    var driver = ScriptedModel.saying("It is 42.", "It is 42, I am sure.");
    assertThat(agent(driver, Grants.none()).run("?").answer()).isEqualTo("It is 42, I am sure.");
    assertThat(driver.requests().get(1).messages().getLast().text()).isEqualTo(Feedback.NUDGE);
  }

  @Test
  @Tag("S21")
  void the_first_fence_counts_whatever_its_label() throws Exception {
    var driver = ScriptedModel.saying("```python\nanswer(1)\n```\nor\n```ragsh\nanswer(2)\n```");
    assertThat(agent(driver, Grants.none()).run("?").answer()).isEqualTo("1");
  }

  @Test
  @Tag("S9")
  void an_agent_is_given_a_task_and_spends_from_the_same_ledger() throws Exception {
    var judge = Agent.named("judge").model(ScriptedModel.saying("guilty")).build();
    var driver = driver("answer(agent('judge', 'Who?'))");
    var result = agent(driver, Grants.none().agent("judge", judge)).run("?");
    assertThat(result.answer()).isEqualTo("guilty");
    assertThat(result.report().spent().calls()).isEqualTo(2);
  }

  @Test
  void a_session_inside_has_variables_and_a_text_of_its_own() throws Exception {
    var driver =
        ScriptedModel.by(request -> {
          var last = request.messages().getLast().text();
          return ScriptedModel.text(
              last.endsWith("Outer?")
                  ? "```\nx = 1\nanswer(rlm_query('Inner?', context=context[0:6]))\n```"
                  : "```\nanswer(str(context) + '!')\n```");
        });
    var result =
        agent(driver, Grants.none().model("small", numbers())).run("Outer?", about(DOCUMENT));
    assertThat(result.answer()).isEqualTo("one 12!");
    assertThat(result.report().spent().calls()).isEqualTo(2);
  }

  @Test
  void at_the_depth_limit_one_call_answers_and_says_so() throws Exception {
    var driver = driver("answer(rlm_query('Number of', context='5 apples'))");
    var agent =
        ReplAgent.named("reader")
            .model(driver)
            .grants(Grants.none().model("small", numbers()))
            .limits(ReplLimits.standard().withDepth(0))
            .build();
    assertThat(agent.run("?").answer())
        .isEqualTo("[No deeper session was left: one model call answered.]\n5");
  }

  @Test
  void the_combinators_work_with_a_known_number_of_calls() throws Exception {
    var small =
        ScriptedModel.by(request -> {
          var text = request.messages().getLast().text();
          if (text.contains("yes or no")) {
            return ScriptedModel.text(text.contains("b") ? "Yes." : "no");
          }
          return ScriptedModel.text(text.replaceAll("(?s)^Join:\\s*", "").replaceAll("\\s+", "+"));
        });
    var driver =
        driver(
            """
            pieces = split("aabbcc", 2)
            told = estimate("reduce", pieces, group=2)
            answer([pieces, map_llm(pieces, "<{}>"), filter_llm(pieces, "Is it b?\\n{}"),
                    reduce_llm(pieces, "Join:", group=2), cross([1], [2, 3]), told["calls"],
                    64 - budget()["model_calls"]])
            """);
    var result = agent(driver, Grants.none().model("small", small)).run("?");
    assertThat(result.answer())
        .isEqualTo(
            "[[\"aa\",\"bb\",\"cc\"],[\"<aa>\",\"<bb>\",\"<cc>\"],[\"aa\",\"bb\",\"cc\"],"
                + "\"aa+bb+cc\",[[1,2],[1,3]],3,9]");
  }

  @Test
  void cells_that_keep_failing_end_the_run() {
    var driver = driver("1 / 0", "1 / 0", "1 / 0", "1 / 0", "answer(1)");
    assertThatThrownBy(() -> agent(driver, Grants.none()).run("?"))
        .isInstanceOf(CellsKeptFailing.class);
    assertThat(driver.calls()).isEqualTo(4);
  }

  @Test
  @Tag("S20")
  void a_run_on_a_thread_goes_on_in_another_session_without_repeating_a_call() throws Exception {
    var store = new InMemoryCheckpointer();
    var asked = new CopyOnWriteArrayList<String>();
    var small =
        ScriptedModel.by(request -> {
          asked.add(request.messages().getLast().text());
          return ScriptedModel.text("r" + asked.size());
        });
    var dead = new boolean[] {true};
    var fragile =
        Tool.of(
            "fragile",
            "Breaks the process at first.",
            Sum.class,
            (_, _) -> {
              if (dead[0]) throw new OutOfMemoryError("the process dies");
              return "done";
            });
    var cells =
        List.of(
            "a = llm_query('first')",
            "b = llm_query('second')\nc = tool('fragile', sum=1)\nanswer([a, b, c])");
    var driver = driver(cells.toArray(String[]::new));
    var agent = agent(driver, Grants.none().model("small", small).tools(fragile));
    var options = RunOptions.defaults().on("t", store);
    assertThatThrownBy(() -> agent.run("?", options)).isInstanceOf(Throwable.class);
    dead[0] = false;
    var result = agent.resume(dev.superstep.run.Answers.none(), options);
    assertThat(result.answer()).isEqualTo("[\"r1\",\"r2\",\"done\"]");
    assertThat(asked).containsExactly("first", "second");
    assertThat(driver.calls()).isEqualTo(2);
  }

  @Test
  void a_call_that_needs_an_approval_waits_for_it_in_the_midst_of_a_cell() throws Exception {
    var store = new InMemoryCheckpointer();
    var kept = new CopyOnWriteArrayList<Long>();
    var write =
        Tool.of(
            "ledger_write",
            "Keeps a sum.",
            Sum.class,
            (sum, _) -> {
              kept.add(sum.sum());
              return "kept";
            });
    var small = ScriptedModel.saying("7");
    var driver = driver("x = llm_query('n')\nanswer([x, tool('ledger_write', sum=int(x))])");
    var agent =
        ReplAgent.named("reader")
            .model(driver)
            .grants(Grants.none().model("small", small).tools(write))
            .gate(ToolGate.open().confirming("ledger_write"))
            .build();
    var options = RunOptions.defaults().on("t", store);
    var waiting = (AgentResult.Waiting<String>) agent.run("?", options);
    assertThat(kept).isEmpty();
    var question = waiting.questions().getFirst();
    var yes =
        new dev.superstep.agent.run.Review.Decisions(
            List.of(new dev.superstep.agent.run.Review.Decision.Approve()));
    var result =
        agent.resume(
            dev.superstep.run.Answers.of(
                question.id(), dev.superstep.agent.run.Review.QUESTION, yes),
            options);
    assertThat(result.answer()).isEqualTo("[\"7\",\"kept\"]");
    assertThat(kept).containsExactly(7L);
    assertThat(small.calls()).isEqualTo(1);
    assertThat(driver.calls()).isEqualTo(1);
  }
}
