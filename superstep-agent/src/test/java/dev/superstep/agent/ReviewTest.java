package dev.superstep.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.agent.run.AgentEvent;
import dev.superstep.agent.run.Review;
import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.event.Event;
import dev.superstep.graph.RunOptions;
import dev.superstep.graph.Threads;
import dev.superstep.json.Json;
import dev.superstep.message.AssistantMessage;
import dev.superstep.message.Message;
import dev.superstep.message.ToolCall;
import dev.superstep.message.ToolMessage;
import dev.superstep.model.ScriptedModel;
import dev.superstep.run.Answers;
import dev.superstep.tool.SideEffect;
import dev.superstep.tool.Tool;
import dev.superstep.tool.ToolGate;
import dev.superstep.tool.ToolPolicy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class ReviewTest {
  record Refund(int order) {}

  private final List<Integer> refunded = Collections.synchronizedList(new ArrayList<>());
  private final Tool refund =
      Tool.of(
              "refund",
              "Pays back.",
              Refund.class,
              (r, _) -> {
                refunded.add(r.order());
                return "paid " + r.order();
              })
          .withPolicy(ToolPolicy.of(SideEffect.PAYMENT));
  private final Tool look =
      Tool.of("look", "Looks.", Refund.class, (r, _) -> "order " + r.order())
          .withPolicy(ToolPolicy.readOnly());
  private final RunOptions options = RunOptions.thread("t").checkpoints(new InMemoryCheckpointer());

  private Agent<String> agent(ToolCall... calls) {
    var model = ScriptedModel.replying(ScriptedModel.calls(calls), ScriptedModel.text("Done."));
    return Agent.named("desk")
        .model(model)
        .tools(refund, look)
        .gate(ToolGate.open().confirming(SideEffect.PAYMENT))
        .build();
  }

  private static ToolCall call(String id, String tool, int order) {
    return new ToolCall(id, tool, "{\"order\":" + order + "}");
  }

  @Test
  void the_question_has_the_form_of_agent_inboxes() throws InterruptedException {
    var agent = agent(call("c1", "refund", 17), call("c2", "look", 1), call("c3", "refund", 18));
    var waiting = (AgentResult.Waiting<String>) agent.run("Refund", options);
    var question = waiting.questions().getFirst();
    assertThat(question.question()).isEqualTo("review");
    assertThat(question.payload().text())
        .startsWith("{\"action_requests\":[{\"name\":\"refund\",\"args\":{\"order\":17},")
        .contains(
            "\"review_configs\":[{\"action_name\":\"refund\",\"allowed_decisions\":[\"approve\"")
        .doesNotContain("look");
    assertThat(refunded).isEmpty();
    var json =
        Json.parse(
            """
            {"decisions":[{"type":"approve"},
             {"type":"edit","edited_action":{"name":"refund","args":{"order":19}}}]}\
            """);
    var result = agent.resume(Answers.json(question.id(), json), options);
    assertThat(result.answer()).isEqualTo("Done.");
    assertThat(refunded).containsExactlyInAnyOrder(17, 19);
  }

  @Test
  void each_decision_takes_effect_and_is_visible_to_the_model() throws InterruptedException {
    var agent =
        agent(
            call("c1", "refund", 1),
            call("c2", "refund", 2),
            call("c3", "refund", 3),
            call("c4", "refund", 4));
    var waiting = (AgentResult.Waiting<String>) agent.run("Refund", options);
    var decisions =
        Review.Decisions.of(
            new Review.Decision.Approve(),
            new Review.Decision.Edit(new Review.Edited("refund", Json.parse("{\"order\":22}"))),
            new Review.Decision.Reject(Optional.of("Too much.")),
            new Review.Decision.Respond("Already paid."));
    var answer = Review.QUESTION.answer(waiting.questions().getFirst(), decisions);
    var result = agent.resume(Answers.none().and(answer), options);
    assertThat(refunded).containsExactlyInAnyOrder(1, 22);
    var said = result.report().conversation();
    assertThat(said)
        .extracting(Message::text)
        .contains("paid 1", "paid 22", "A person rejected the call. Too much.", "Already paid.");
    assertThat(said.stream().filter(AssistantMessage.class::isInstance).findFirst())
        .get()
        .extracting(m -> ((AssistantMessage) m).calls().get(1).arguments())
        .isEqualTo("{\"order\":22}");
  }

  @Test
  void an_answer_with_another_number_of_decisions_is_asked_again() throws InterruptedException {
    var agent = agent(call("c1", "refund", 1), call("c2", "refund", 2));
    var first = (AgentResult.Waiting<String>) agent.run("Refund", options);
    var one = Review.Decisions.of(new Review.Decision.Approve());
    var answer = Review.QUESTION.answer(first.questions().getFirst(), one);
    var again = (AgentResult.Waiting<String>) agent.resume(Answers.none().and(answer), options);
    assertThat(refunded).isEmpty();
    assertThat(again.questions().getFirst().id()).isNotEqualTo(first.questions().getFirst().id());
  }

  @Test
  @Tag("T32")
  void a_denied_call_is_neither_shown_nor_run_even_after_a_person_edits_it()
      throws InterruptedException {
    var model =
        ScriptedModel.replying(
            ScriptedModel.calls(call("c1", "look", 1), call("c2", "refund", 2)),
            ScriptedModel.text("Done."));
    var agent =
        Agent.named("desk")
            .model(model)
            .tools(refund, look)
            .gate(ToolGate.open().without("refund").confirming("look"))
            .build();
    var waiting = (AgentResult.Waiting<String>) agent.run("Refund", options);
    assertThat(model.requests().getFirst().tools()).extracting(t -> t.name()).containsOnly("look");
    var edit = new Review.Edited("refund", Json.parse("{\"order\":3}"));
    var decisions = Review.Decisions.of(new Review.Decision.Edit(edit));
    var answer = Review.QUESTION.answer(waiting.questions().getFirst(), decisions);
    var result = agent.resume(Answers.none().and(answer), options);
    assertThat(result.answer()).isEqualTo("Done.");
    assertThat(refunded).isEmpty();
  }

  private static Answers approved(AgentResult.Waiting<String> waiting) {
    var decisions = Review.Decisions.of(new Review.Decision.Approve());
    return Answers.none().and(Review.QUESTION.answer(waiting.questions().getFirst(), decisions));
  }

  /// An agent that refunds an order, whatever its thread.
  private Agent<String> refunding() {
    var model =
        ScriptedModel.by(request ->
            request.messages().getLast() instanceof ToolMessage
                ? ScriptedModel.text("Done.")
                : ScriptedModel.calls(call("c1", "refund", 1)));
    return Agent.named("desk")
        .model(model)
        .tools(refund)
        .gate(ToolGate.open().confirming(SideEffect.PAYMENT))
        .build();
  }

  /// A person approves the call, and the process dies before the tool runs.
  private Agent<String> approvedAndStopped() throws InterruptedException {
    var agent = refunding();
    var waiting = (AgentResult.Waiting<String>) agent.run("Refund", options);
    agent.resume(approved(waiting), options.taskLimit(1));
    assertThat(refunded).isEmpty();
    return agent;
  }

  @Test
  void an_approved_call_runs_without_a_further_question() throws InterruptedException {
    var agent = approvedAndStopped();
    assertThat(agent.resume(Answers.none(), options).answer()).isEqualTo("Done.");
    assertThat(refunded).containsExactly(1);
  }

  @Test
  void an_approval_does_not_come_back_by_a_rewind_a_fork_or_a_copy() throws InterruptedException {
    var agent = approvedAndStopped();
    var threads = Threads.in(options.checkpointer().orElseThrow());
    var after = threads.history("t", Optional.empty(), 1).getFirst().id();
    threads.copy("t", "copy");
    threads.fork("t", after, "fork");
    agent.resume(Answers.none(), options);
    assertThat(refunded).containsExactly(1);
    threads.rewind("t", after);
    for (var thread : List.of("t", "fork", "copy")) {
      var at = options.on(thread, options.checkpointer().orElseThrow());
      var again = (AgentResult.Waiting<String>) agent.resume(Answers.none(), at);
      assertThat(again.questions()).hasSize(1);
      assertThat(again.questions().getFirst().payload().text()).contains("\"order\":1");
    }
    assertThat(refunded).containsExactly(1);
  }

  @Test
  void a_call_that_is_asked_about_again_can_be_approved_rejected_or_answered()
      throws InterruptedException {
    var agent = approvedAndStopped();
    var store = options.checkpointer().orElseThrow();
    var threads = Threads.in(store);
    var after = threads.history("t", Optional.empty(), 1).getFirst().id();
    var decisions =
        Map.of(
            "approve", new Review.Decision.Approve(),
            "reject", new Review.Decision.Reject(Optional.of("No.")),
            "edit", new Review.Decision.Edit(new Review.Edited("refund", Json.parse("{}"))),
            "respond", new Review.Decision.Respond("Paid before."));
    var said = new HashMap<String, String>();
    for (var decision : decisions.entrySet()) {
      var thread = decision.getKey();
      threads.fork("t", after, thread);
      var at = options.on(thread, store);
      var again = (AgentResult.Waiting<String>) agent.resume(Answers.none(), at);
      var given = Review.Decisions.of(decision.getValue());
      var answer = Review.QUESTION.answer(again.questions().getFirst(), given);
      var result = agent.resume(Answers.none().and(answer), at);
      said.put(thread, result.report().conversation().toString());
    }
    assertThat(refunded).containsExactly(1);
    assertThat(said.get("approve")).contains("paid 1");
    assertThat(said.get("reject")).contains("A person rejected the call. No.");
    assertThat(said.get("edit")).contains("It cannot be changed any more");
    assertThat(said.get("respond")).contains("Paid before.");
  }

  @Test
  void an_approval_of_a_call_lapses_when_the_run_is_stopped_for_long() throws InterruptedException {
    var now = new AtomicReference<>(Instant.parse("2026-01-01T00:00:00Z"));
    var timed = options.clock(now::get).approvalTime(Duration.ofHours(1));
    var agent = refunding();
    var waiting = (AgentResult.Waiting<String>) agent.run("Refund", timed);
    agent.resume(approved(waiting), timed.taskLimit(1));
    now.set(now.get().plus(Duration.ofHours(1)));
    var again = (AgentResult.Waiting<String>) agent.resume(Answers.none(), timed);
    assertThat(refunded).isEmpty();
    assertThat(agent.resume(approved(again), timed).answer()).isEqualTo("Done.");
    assertThat(refunded).containsExactly(1);
  }

  @Test
  @Tag("T31")
  void a_strict_gate_refuses_unclassified_tools() throws InterruptedException {
    var unknown = Tool.of("odd", "Odd.", Refund.class, (_, _) -> "ran");
    var model =
        ScriptedModel.replying(
            ScriptedModel.calls(call("c1", "odd", 1)), ScriptedModel.text("Done."));
    var agent =
        Agent.named("desk").model(model).tools(unknown, look).gate(ToolGate.strict()).build();
    var result = agent.run("Go", RunOptions.defaults());
    assertThat(result.report().conversation()).extracting(Message::text).doesNotContain("ran");
    assertThat(model.requests().getFirst().tools()).extracting(t -> t.name()).containsOnly("look");
  }

  private static AgentResult<String> decide(
      Agent<String> agent, AgentResult<String> result, RunOptions on, Review.Decision... all)
      throws InterruptedException {
    var waiting = (AgentResult.Waiting<String>) result;
    var answer = Review.QUESTION.answer(waiting.questions().getFirst(), Review.Decisions.of(all));
    return agent.resume(Answers.none().and(answer), on);
  }

  @Test
  void if_a_person_answers_every_call_of_a_turn_the_model_is_called_next()
      throws InterruptedException {
    var agent = agent(call("c1", "refund", 1), call("c2", "refund", 2));
    var said = new Review.Decision.Respond("Already paid.");
    var result = decide(agent, agent.run("Refund", options), options, said, said);
    assertThat(result.answer()).isEqualTo("Done.");
    assertThat(refunded).isEmpty();
    assertThat(result.report().conversation())
        .extracting(Message::text)
        .containsSubsequence("Already paid.", "Already paid.", "Done.");
  }

  @Test
  void a_wrong_number_of_decisions_is_asked_again_ten_times_at_most() throws InterruptedException {
    var agent = agent(call("c1", "refund", 1), call("c2", "refund", 2));
    var yes = new Review.Decision.Approve();
    var result = agent.run("Refund", options);
    for (int i = 0; i < 9; i++) result = decide(agent, result, options, yes);
    var last = result;
    assertThatThrownBy(() -> decide(agent, last, options, yes))
        .hasStackTraceContaining("there are 2 actions, and 10 times another number of decisions");
    assertThat(refunded).isEmpty();
  }

  @Test
  void calls_that_need_no_approval_do_not_wait_for_those_that_do() throws InterruptedException {
    var nodes = Collections.synchronizedList(new ArrayList<String>());
    var on =
        options.listener(event -> {
          if (event instanceof Event.NodeStarted started) nodes.add(started.node());
        });
    assertThat(agent(call("c1", "look", 1)).run("Look", on).answer()).isEqualTo("Done.");
    assertThat(nodes).contains("tools").doesNotContain("review");
  }

  @Test
  void every_call_that_does_not_run_is_published_with_its_reason() throws InterruptedException {
    var model =
        ScriptedModel.replying(
            ScriptedModel.calls(
                call("c1", "refund", 1),
                call("c2", "erase", 2),
                new ToolCall("c3", "look", "{}"),
                call("c4", "look", 4),
                call("c5", "burn", 5)),
            ScriptedModel.text("Done."));
    var agent =
        Agent.named("desk")
            .model(model)
            .tools(refund, look, Tool.of("burn", "Burns.", Refund.class, (_, _) -> "burnt"))
            .gate(ToolGate.open().confirming("refund").without("burn"))
            .build();
    var told = Collections.synchronizedList(new ArrayList<AgentEvent>());
    var on = options.listener(AgentEvent.listener(told::add));
    decide(agent, agent.run("Go", on), on, new Review.Decision.Reject(Optional.empty()));
    assertThat(told)
        .contains(
            new AgentEvent.ToolDenied("desk", "c1", "refund"),
            new AgentEvent.ToolUnknown("desk", "c2", "erase"),
            new AgentEvent.ToolInvalidArguments("desk", "c3", "look"),
            new AgentEvent.ToolDenied("desk", "c5", "burn"));
    assertThat(told)
        .filteredOn(AgentEvent.ToolUnknown.class::isInstance)
        .containsOnly(new AgentEvent.ToolUnknown("desk", "c2", "erase"));
  }
}
