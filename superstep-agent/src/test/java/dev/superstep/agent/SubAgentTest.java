package dev.superstep.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.superstep.agent.run.AgentEvent;
import dev.superstep.agent.run.Review;
import dev.superstep.agent.status.AgentStatus;
import dev.superstep.agent.status.AgentWatch;
import dev.superstep.budget.Budget;
import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.graph.RunOptions;
import dev.superstep.message.Message;
import dev.superstep.message.ToolCall;
import dev.superstep.message.ToolMessage;
import dev.superstep.middleware.AgentContext;
import dev.superstep.middleware.Middleware;
import dev.superstep.model.ChatModel;
import dev.superstep.model.ChatReply;
import dev.superstep.model.ChatRequest;
import dev.superstep.model.ModelException;
import dev.superstep.model.ScriptedModel;
import dev.superstep.model.Usage;
import dev.superstep.run.Answers;
import dev.superstep.run.Outcome;
import dev.superstep.state.Channel;
import dev.superstep.tool.SideEffect;
import dev.superstep.tool.Tool;
import dev.superstep.tool.ToolGate;
import dev.superstep.tool.ToolPolicy;
import dev.superstep.tool.ToolResult;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(30)
@Tag("T66")
class SubAgentTest {
  record Nothing() {}

  private static ToolCall task(String id, String helper, String task) {
    return new ToolCall(id, helper, "{\"task\":\"" + task + "\"}");
  }

  private static ChatReply used(ChatReply reply, long input, long output) {
    return ScriptedModel.reply(reply.message(), new Usage(input, 0, output, 0), reply.finish());
  }

  private static Agent<String> reader(ChatModel model) {
    return Agent.named("reader").model(model).instructions("You read.").build();
  }

  @Test
  void a_sub_agent_sees_only_its_task_and_its_usage_counts_for_both() throws InterruptedException {
    var helped =
        ScriptedModel.by(
            r -> used(ScriptedModel.text("re " + r.messages().getLast().text()), 5, 2));
    var model =
        ScriptedModel.replying(
            used(
                ScriptedModel.calls(task("c1", "reader", "one"), task("c2", "reader", "two")),
                10,
                1),
            used(ScriptedModel.text("Both."), 20, 1));
    var agent = Agent.named("boss").model(model).agent(reader(helped), "Reads things.").build();
    var told = new ArrayList<AgentEvent>();
    var options = RunOptions.defaults().listener(AgentEvent.listener(told::add));
    var result = agent.run("Read both.", options);
    assertThat(result.answer()).isEqualTo("Both.");
    assertThat(result.report().conversation())
        .filteredOn(ToolMessage.class::isInstance)
        .extracting(Message::text)
        .containsExactly("re one", "re two");
    assertThat(helped.requests()).allSatisfy(r -> assertThat(r.messages()).hasSize(2));
    assertThat(result.report().usage()).isEqualTo(new Usage(40, 0, 6, 0));
    assertThat(result.report().spent().calls()).isEqualTo(4);
    var started =
        told.stream()
            .filter(AgentEvent.AgentStarted.class::isInstance)
            .map(AgentEvent.AgentStarted.class::cast)
            .toList();
    assertThat(started).extracting(AgentEvent.AgentStarted::agent).contains("boss", "reader");
    var root = started.getFirst().run();
    assertThat(started).extracting(AgentEvent.AgentStarted::root).containsOnly(root);
    assertThat(started.subList(1, 3))
        .extracting(AgentEvent.AgentStarted::parent)
        .containsOnly(root);
    assertThat(started).extracting(AgentEvent.AgentStarted::run).doesNotHaveDuplicates();
    assertThat(told)
        .extracting(AgentEvent::name)
        .contains("subagent.started", "subagent.completed");
  }

  @Test
  void a_failure_of_a_sub_agent_is_reported_to_the_model_but_thrown_outside_of_agents()
      throws InterruptedException {
    ChatModel down =
        ScriptedModel.by(_ -> {
          throw new ModelException(ModelException.Kind.AUTH, "No key.");
        });
    var model =
        ScriptedModel.replying(
            ScriptedModel.calls(task("c1", "reader", "one")), ScriptedModel.text("Sorry."));
    var agent = Agent.named("boss").model(model).agent(reader(down), "Reads things.").build();
    var result = agent.run("Read.");
    assertThat(result.answer()).isEqualTo("Sorry.");
    assertThat(result.report().conversation())
        .filteredOn(ToolMessage.class::isInstance)
        .first()
        .satisfies(m -> {
          assertThat(((ToolMessage) m).error()).isTrue();
          assertThat(m.text()).contains("No key.");
        });
    assertThatThrownBy(() -> reader(down).run("one")).isInstanceOf(ModelException.class);
  }

  @Test
  @Tag("T53")
  void a_sub_agent_cannot_spend_more_than_its_caller_has_left() throws InterruptedException {
    var helped = ScriptedModel.by(_ -> used(ScriptedModel.text("ok"), 5, 2));
    var model =
        ScriptedModel.replying(
            ScriptedModel.calls(task("c1", "reader", "one"), task("c2", "reader", "two")),
            ScriptedModel.text("One is enough."));
    var agent =
        Agent.named("boss")
            .model(model)
            .agent(reader(helped), "Reads things.")
            .concurrency(1)
            .budget(Budget.unlimited().calls(3))
            .build();
    // One turn of its own, one of the first helper, none of the second, one to say so.
    assertThatThrownBy(() -> agent.run("Read."))
        .isInstanceOf(dev.superstep.budget.BudgetExceeded.class)
        .hasMessageContaining("`boss` allows 3 calls; 3 are used");
    assertThat(helped.calls() + model.calls()).isEqualTo(3);
  }

  @Test
  @Tag("T33")
  void a_sub_agent_has_no_more_permissions_than_its_caller() throws InterruptedException {
    var ran = new ArrayList<String>();
    var pay =
        Tool.of("pay", "Pays.", Nothing.class, (_, _) -> ran.add("pay"))
            .withPolicy(ToolPolicy.of(SideEffect.PAYMENT));
    var helped =
        ScriptedModel.replying(
            ScriptedModel.calls(new ToolCall("p", "pay", "{}")),
            ScriptedModel.text("I could not."));
    var helper = Agent.named("reader").model(helped).tools(pay).build();
    var model =
        ScriptedModel.replying(
            ScriptedModel.calls(task("c1", "reader", "pay")), ScriptedModel.text("Done."));
    var agent =
        Agent.named("boss")
            .model(model)
            .agent(helper, "Reads.")
            .gate(ToolGate.open().without("pay"))
            .build();
    assertThat(agent.run("Pay.").answer()).isEqualTo("Done.");
    assertThat(ran).isEmpty();
    assertThat(helped.requests().getFirst().tools()).isEmpty();
  }

  @Test
  void a_question_of_a_sub_agent_interrupts_the_run_and_finished_work_is_not_repeated()
      throws InterruptedException {
    var ran = new ArrayList<String>();
    var pay =
        Tool.of("pay", "Pays.", Nothing.class, (_, _) -> "" + ran.add("pay"))
            .withPolicy(ToolPolicy.of(SideEffect.PAYMENT).approved());
    var helper =
        Agent.named("payer")
            .model(
                ScriptedModel.replying(
                    ScriptedModel.calls(new ToolCall("p", "pay", "{}")),
                    ScriptedModel.text("Paid.")))
            .tools(pay)
            .build();
    var read = ScriptedModel.saying("Read it.");
    var model =
        ScriptedModel.replying(
            ScriptedModel.calls(task("c1", "reader", "one"), task("c2", "payer", "two")),
            ScriptedModel.text("Both."));
    var agent =
        Agent.named("boss")
            .model(model)
            .agent(reader(read), "Reads.")
            .agent(helper, "Pays.")
            .build();
    var options = RunOptions.thread("t").checkpoints(new InMemoryCheckpointer());
    var waiting = (AgentResult.Waiting<String>) agent.run("Go.", options);
    assertThat(ran).isEmpty();
    var yes = Review.Decisions.of(new Review.Decision.Approve());
    var answer = Review.QUESTION.answer(waiting.questions().getFirst(), yes);
    var result = agent.resume(Answers.none().and(answer), options);
    assertThat(result.answer()).isEqualTo("Both.");
    assertThat(ran).containsExactly("pay");
    assertThat(read.calls()).isEqualTo(1);
    assertThat(model.calls()).isEqualTo(2);
  }

  @Test
  @Tag("T39")
  void agents_that_call_agents_end_at_the_depth_limit() throws InterruptedException {
    var deepest = ScriptedModel.by(_ -> ScriptedModel.text("deep"));
    var inner = Agent.named("inner").model(deepest).build();
    var middle =
        Agent.named("middle")
            .model(
                ScriptedModel.replying(
                    ScriptedModel.calls(task("m", "inner", "x")), ScriptedModel.text("middle")))
            .agent(inner, "Goes deeper.")
            .depth(2)
            .build();
    var outer =
        Agent.named("outer")
            .model(
                ScriptedModel.replying(
                    ScriptedModel.calls(task("o", "middle", "x")), ScriptedModel.text("outer")))
            .agent(middle, "Goes deep.")
            .build();
    assertThat(outer.run("Go.").answer()).isEqualTo("outer");
    assertThat(deepest.calls()).isZero();
  }

  @Test
  @Tag("T39")
  void the_depth_limit_of_an_agent_binds_those_that_its_agents_call() throws InterruptedException {
    var deepest = ScriptedModel.by(_ -> ScriptedModel.text("deep"));
    var inner = Agent.named("inner").model(deepest).build();
    var middle =
        Agent.named("middle")
            .model(
                ScriptedModel.replying(
                    ScriptedModel.calls(task("m", "inner", "x")), ScriptedModel.text("middle")))
            .agent(inner, "Goes deeper.")
            .build();
    var outer =
        Agent.named("outer")
            .model(
                ScriptedModel.replying(
                    ScriptedModel.calls(task("o", "middle", "x")), ScriptedModel.text("outer")))
            .agent(middle, "Goes deep.")
            .depth(2)
            .build();
    assertThat(outer.run("Go.").answer()).isEqualTo("outer");
    assertThat(deepest.calls()).isZero();
  }

  /// Notes its hooks, and changes what goes in and out.
  private record Noting(List<String> notes) implements Middleware {
    static final Channel<List<String>, String> SEEN = Channel.append("seen", String.class);

    @Override
    public List<Channel<?, ?>> channels() {
      return List.of(SEEN);
    }

    @Override
    public ToolCall beforeTool(ToolCall call, AgentContext context) {
      notes.add("before " + call.id() + " in " + context.agent());
      return call.with(call.tool(), call.arguments().replace("one", "three"));
    }

    @Override
    public ToolResult aroundTool(ToolCall call, AgentContext context, ToolNext next)
        throws Exception {
      notes.add("around " + call.id());
      if (call.arguments().contains("two")) return ToolResult.error("No twos.");
      var first = next.call(call);
      assertThat(next.call(call)).isEqualTo(first);
      return first;
    }

    @Override
    public ToolResult afterTool(ToolCall call, ToolResult result, AgentContext context) {
      notes.add("after " + call.id());
      context.write(SEEN, result.text());
      return result.error() ? result : ToolResult.of(result.text().toUpperCase(Locale.ROOT));
    }
  }

  @Test
  @Tag("T42")
  void tool_hooks_wrap_sub_agent_calls_like_tool_calls() throws InterruptedException {
    var helped = ScriptedModel.by(r -> ScriptedModel.text("re " + r.messages().getLast().text()));
    var model =
        ScriptedModel.replying(
            ScriptedModel.calls(task("c1", "reader", "one"), task("c2", "reader", "two")),
            ScriptedModel.text("Both."));
    var notes = Collections.synchronizedList(new ArrayList<String>());
    var told = Collections.synchronizedList(new ArrayList<AgentEvent>());
    var agent =
        Agent.named("boss")
            .model(model)
            .agent(reader(helped), "Reads things.")
            .middleware(new Noting(notes))
            .build();
    var options = RunOptions.thread("t").checkpoints(new InMemoryCheckpointer());
    var end =
        (Outcome.Completed)
            agent
                .graph()
                .invoke(
                    agent.input(List.of(Message.user("Read both."))),
                    options.listener(AgentEvent.listener(told::add)));
    assertThat(end.state().get(Noting.SEEN)).containsExactly("re three", "No twos.");
    assertThat(agent.result(end).report().conversation())
        .filteredOn(ToolMessage.class::isInstance)
        .extracting(Message::text)
        .containsExactly("RE THREE", "No twos.");
    assertThat(notes)
        .filteredOn(note -> note.contains("c1"))
        .containsExactly("before c1 in boss", "around c1", "after c1");
    assertThat(notes)
        .filteredOn(note -> note.contains("c2"))
        .containsExactly("before c2 in boss", "around c2", "after c2");
    assertThat(helped.calls()).isEqualTo(1);
    assertThat(told)
        .filteredOn(AgentEvent.SubagentFailed.class::isInstance)
        .containsExactly(new AgentEvent.SubagentFailed("boss", "c2", "reader", "agent.not-run"));
    assertThat(agent.result(end).report().spent().calls()).isEqualTo(3);
  }

  @Test
  @Tag("T56")
  void a_sub_agent_that_was_skipped_does_not_stay_pending() throws InterruptedException {
    var model =
        ScriptedModel.replying(
            ScriptedModel.calls(task("c1", "reader", "two")), ScriptedModel.text("None."));
    var agent =
        Agent.named("boss")
            .model(model)
            .agent(reader(ScriptedModel.saying()), "Reads things.")
            .middleware(new Noting(Collections.synchronizedList(new ArrayList<>())))
            .build();
    var watch = new AgentWatch(10);
    agent.run("Read.", RunOptions.defaults().listener(watch));
    assertThat(watch.newest(10))
        .extracting(AgentStatus::agent, AgentStatus::stage)
        .containsExactly(tuple("boss", AgentStatus.Stage.COMPLETED));
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void a_helper_that_remembers_goes_on_with_its_conversation_in_one_run(boolean isKept)
      throws InterruptedException {
    var helped = ScriptedModel.by(r -> ScriptedModel.text("re " + r.messages().getLast().text()));
    var model =
        ScriptedModel.replying(
            ScriptedModel.calls(task("c1", "reader", "one"), task("c2", "reader", "two")),
            ScriptedModel.calls(task("c3", "reader", "three")),
            ScriptedModel.text("All."),
            ScriptedModel.calls(task("c4", "reader", "four")),
            ScriptedModel.text("Again."));
    var agent =
        Agent.named("boss")
            .model(model)
            .rememberingAgent(reader(helped), "Reads things.")
            .concurrency(1)
            .build();
    var told = Collections.synchronizedList(new ArrayList<AgentEvent>());
    var options =
        isKept
            ? RunOptions.thread("t").checkpoints(new InMemoryCheckpointer())
            : RunOptions.defaults();
    options = options.listener(AgentEvent.listener(told::add));
    agent.run("Read all.", options);
    assertThat(helped.requests().stream().filter(r -> asked(r).equals("three")).findFirst())
        .hasValueSatisfying(r ->
            assertThat(r.messages().subList(1, r.messages().size()))
                .extracting(Message::text)
                .containsExactly("one", "re one", "two", "re two", "three"));
    assertThat(told)
        .filteredOn(AgentEvent.SubagentReused.class::isInstance)
        .containsExactly(new AgentEvent.SubagentReused("boss", "c3", "reader", 4));
    agent.run("Once more.", options);
    assertThat(helped.requests().getLast().messages())
        .extracting(Message::text)
        .containsExactly("You read.", "four");
  }

  private static String asked(ChatRequest request) {
    return request.messages().getLast().text();
  }

  @Test
  void a_sub_agent_without_memory_starts_over() throws InterruptedException {
    var helped = ScriptedModel.saying("a", "b");
    var model =
        ScriptedModel.replying(
            ScriptedModel.calls(task("c1", "reader", "one")),
            ScriptedModel.calls(task("c2", "reader", "two")),
            ScriptedModel.text("All."));
    var agent = Agent.named("boss").model(model).agent(reader(helped), "Reads things.").build();
    agent.run("Read.");
    assertThat(helped.requests().getLast().messages())
        .extracting(Message::text)
        .containsExactly("You read.", "two");
  }

  @Test
  void a_sub_agent_that_rewrites_its_memory_continues_with_the_new_one()
      throws InterruptedException {
    var helped = ScriptedModel.saying("a", "b", "c");
    var shortening =
        new Middleware() {
          @Override
          public ChatRequest beforeModel(ChatRequest request, AgentContext context) {
            var all = context.conversation();
            if (all.size() > 1) context.rewrite(List.of(all.getLast()));
            return request;
          }
        };
    var helper =
        Agent.named("reader").model(helped).instructions("Go.").middleware(shortening).build();
    var model =
        ScriptedModel.replying(
            ScriptedModel.calls(task("c1", "reader", "one")),
            ScriptedModel.calls(task("c2", "reader", "two")),
            ScriptedModel.calls(task("c3", "reader", "three")),
            ScriptedModel.text("All."));
    var agent = Agent.named("boss").model(model).rememberingAgent(helper, "Reads things.").build();
    agent.run("Read.");
    assertThat(helped.requests().getLast().messages())
        .extracting(Message::text)
        .containsExactly("Go.", "two", "b", "three");
  }
}
