package dev.superstep.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.agent.status.AgentStatus;
import dev.superstep.agent.status.AgentStatus.Phase;
import dev.superstep.agent.status.AgentStatus.Stage;
import dev.superstep.agent.status.AgentStatuses;
import dev.superstep.agent.status.AgentWatch;
import dev.superstep.agent.status.CallTiming;
import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.event.Redaction;
import dev.superstep.graph.RunOptions;
import dev.superstep.journal.ThreadJournal;
import dev.superstep.json.Json;
import dev.superstep.message.ToolCall;
import dev.superstep.model.ChatModel;
import dev.superstep.model.ModelException;
import dev.superstep.model.ScriptedModel;
import dev.superstep.model.Usage;
import dev.superstep.run.Answers;
import dev.superstep.tool.SideEffect;
import dev.superstep.tool.Tool;
import dev.superstep.tool.ToolGate;
import dev.superstep.tool.ToolPolicy;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
@Tag("T56")
class AgentStatusTest {
  record City(String name) {}

  private final InMemoryCheckpointer store = new InMemoryCheckpointer();
  private final AgentWatch watch = new AgentWatch(10);
  private final RunOptions options =
      RunOptions.thread("t").checkpoints(store).journal(Redaction.none()).listener(watch);

  private static ToolCall look(String id) {
    return new ToolCall(id, "look", "{\"name\":\"Oslo\"}");
  }

  private static Agent<String> weather(ChatModel model) {
    var tool = Tool.of("look", "Looks.", City.class, (city, _) -> city.name());
    return Agent.named("weather").model(model).tools(tool).build();
  }

  private List<AgentStatus> projected() {
    return ThreadJournal.of(store, "t").project(AgentStatuses.projection()).value().all();
  }

  private AgentStatus status() {
    assertThat(watch.newest(10)).hasSize(1);
    return watch.newest(1).getFirst();
  }

  @Test
  void an_agent_that_has_answered_has_completed_and_counted() throws InterruptedException {
    var first = ScriptedModel.calls(look("c1"), look("c2"));
    var used = new Usage(10, 0, 2, 0);
    var model =
        ScriptedModel.replying(
            ScriptedModel.reply(first.message(), used, first.finish()),
            ScriptedModel.text("Sunny."));
    weather(model).run("Weather?", options);
    var status = status();
    assertThat(status.agent()).isEqualTo("weather");
    assertThat(status.root()).isEqualTo(status.run()).isNotEmpty();
    assertThat(status.parent()).isEmpty();
    assertThat(status.stage()).isEqualTo(Stage.COMPLETED);
    assertThat(status.phase()).isEqualTo(Phase.COMPLETED);
    assertThat(status.counters()).isEqualTo(new AgentStatus.Counters(2, 2, 0, 0, 0, 0));
    assertThat(status.usage()).isEqualTo(used);
    assertThat(status.active()).isEmpty();
    assertThat(status.place().thread()).contains("t");
    assertThat(status.times().ended()).isPresent();
    assertThat(watch.find(status.run())).contains(status);
  }

  @Test
  @Tag("T58")
  void the_status_from_a_journal_is_the_same_and_can_continue_from_a_cached_value()
      throws Exception {
    var model =
        ScriptedModel.replying(
            ScriptedModel.calls(look("c1")), ScriptedModel.text("a"), ScriptedModel.text("b"));
    var agent = weather(model);
    agent.run("Weather?", options);
    var journal = ThreadJournal.of(store, "t");
    var cached = journal.project(AgentStatuses.projection());
    agent.run("And now?", options);
    assertThat(journal.isStale(cached)).isTrue();
    var whole = journal.project(AgentStatuses.projection());
    assertThat(journal.project(AgentStatuses.projection(), cached.json()).value())
        .isEqualTo(whole.value());
    assertThat(whole.value().all()).hasSize(2);
    assertThat(whole.value().all())
        .extracting(AgentStatus::stage)
        .containsExactly(Stage.COMPLETED, Stage.COMPLETED);
    assertThat(projected().getLast().times().lastEvent()).isPositive();
    assertThat(projected().getLast().counters()).isEqualTo(status(0).counters());
  }

  private AgentStatus status(int back) {
    return watch.newest(10).get(back);
  }

  @Test
  @Tag("T57")
  void while_it_is_at_work_its_phase_and_its_calls_are_known() throws InterruptedException {
    var phases = Collections.synchronizedList(new ArrayList<Phase>());
    var active = Collections.synchronizedList(new ArrayList<String>());
    var tool =
        Tool.of(
            "look",
            "Looks.",
            City.class,
            (_, _) -> {
              status().active().forEach(call -> active.add(call.what() + " " + call.name()));
              return "sun";
            });
    var model =
        ScriptedModel.replying(ScriptedModel.calls(look("c1")), ScriptedModel.text("Sunny."));
    Agent.named("weather")
        .model(model)
        .tools(tool)
        .build()
        .run(
            "Weather?", options.listener(_ -> watch.newest(1).forEach(s -> phases.add(s.phase()))));
    assertThat(active).containsExactly("TOOL look");
    var changes = new ArrayList<Phase>();
    for (var phase : phases) {
      if (changes.isEmpty() || changes.getLast() != phase) changes.add(phase);
    }
    assertThat(changes)
        .containsExactly(
            Phase.STARTING,
            Phase.LOADING_MEMORY,
            Phase.BUILDING_PROMPT,
            Phase.CALLING_MODEL,
            Phase.VALIDATING_STRUCTURED_OUTPUT,
            Phase.CALLING_TOOLS,
            Phase.BUILDING_PROMPT,
            Phase.CALLING_MODEL,
            Phase.VALIDATING_STRUCTURED_OUTPUT,
            Phase.SAVING_MEMORY,
            Phase.COMPLETED);
  }

  @Test
  void the_status_names_the_caller_of_an_agent_and_waiting_agents_are_pending()
      throws InterruptedException {
    var seen = Collections.synchronizedList(new ArrayList<Set<Stage>>());
    var helped =
        ScriptedModel.by(_ -> {
          var now = new java.util.TreeSet<Stage>();
          watch.newest(10).forEach(status -> now.add(status.stage()));
          seen.add(now);
          return ScriptedModel.text("read");
        });
    var reader = Agent.named("Fast Reader").model(helped).build();
    var model =
        ScriptedModel.replying(
            ScriptedModel.calls(
                new ToolCall("c1", "fast_reader", "{\"task\":\"one\"}"),
                new ToolCall("c2", "fast_reader", "{\"task\":\"two\"}")),
            ScriptedModel.text("Both."));
    var boss = Agent.named("boss").model(model).agent(reader, "Reads.").concurrency(1).build();
    boss.run("Go.", options);
    var all = projected();
    assertThat(all)
        .extracting(AgentStatus::agent)
        .containsExactly("boss", "Fast Reader", "Fast Reader");
    assertThat(all).extracting(AgentStatus::stage).containsOnly(Stage.COMPLETED);
    var root = all.getFirst();
    assertThat(root.active()).isEmpty();
    assertThat(root.counters().agentCalls()).isEqualTo(2);
    assertThat(all.subList(1, 3)).extracting(AgentStatus::parent).containsOnly(root.run());
    assertThat(all.subList(1, 3)).extracting(AgentStatus::root).containsOnly(root.run());
    assertThat(all).extracting(AgentStatus::run).doesNotHaveDuplicates();
    assertThat(seen).anySatisfy(now -> assertThat(now).contains(Stage.RUNNING));
  }

  @Test
  void a_question_makes_the_agent_interrupted_and_its_answer_makes_it_run()
      throws InterruptedException {
    var pay =
        Tool.of("look", "Pays.", City.class, (city, _) -> city.name())
            .withPolicy(ToolPolicy.of(SideEffect.PAYMENT));
    var model =
        ScriptedModel.replying(ScriptedModel.calls(look("c1")), ScriptedModel.text("Done."));
    var agent =
        Agent.named("desk")
            .model(model)
            .tools(pay)
            .gate(ToolGate.open().confirming(SideEffect.PAYMENT))
            .build();
    var waiting = (AgentResult.Waiting<String>) agent.run("Pay.", options);
    assertThat(status().stage()).isEqualTo(Stage.INTERRUPTED);
    assertThat(status().counters().questions()).isEqualTo(1);
    assertThat(status().hasEnded()).isFalse();
    var run = status().run();
    var approve = Json.parse("{\"decisions\":[{\"type\":\"approve\"}]}");
    agent.resume(Answers.json(waiting.questions().getFirst().id(), approve), options);
    assertThat(status().stage()).isEqualTo(Stage.COMPLETED);
    assertThat(status().run()).isEqualTo(run);
    assertThat(projected()).hasSize(1);
    assertThat(projected().getFirst().stage()).isEqualTo(Stage.COMPLETED);
  }

  @Test
  void a_failed_agent_has_an_error_code_until_its_thread_resumes() throws InterruptedException {
    var times = new AtomicInteger();
    var model =
        ScriptedModel.by(_ -> {
          if (times.getAndIncrement() > 0) return ScriptedModel.text("Sunny.");
          throw new ModelException(ModelException.Kind.AUTH, "hunter2 is no key");
        });
    var agent = weather(model);
    assertThatThrownBy(() -> agent.run("Weather?", options)).isInstanceOf(ModelException.class);
    assertThat(status().stage()).isEqualTo(Stage.FAILED);
    assertThat(status().code()).hasValueSatisfying(code -> assertThat(code).startsWith("model."));
    assertThat(status().toString()).doesNotContain("hunter2").doesNotContain("Weather?");
    agent.resume(Answers.none(), options);
    assertThat(status().stage()).isEqualTo(Stage.COMPLETED);
    assertThat(status().code()).isEmpty();
    assertThat(projected().getFirst().stage()).isEqualTo(Stage.COMPLETED);
  }

  @Test
  void a_run_that_is_stopped_cancels_its_agents() throws InterruptedException {
    var begun = new java.util.concurrent.CountDownLatch(1);
    var tool =
        Tool.of(
            "look",
            "Looks.",
            City.class,
            (_, _) -> {
              begun.countDown();
              new java.util.concurrent.CountDownLatch(1).await();
              return "";
            });
    var model = ScriptedModel.replying(ScriptedModel.calls(look("c1")));
    var agent = Agent.named("weather").model(model).tools(tool).build();
    try (var stream = agent.stream("Weather?", options)) {
      begun.await();
      stream.cancel();
      stream.outcome();
    }
    assertThat(status().stage()).isEqualTo(Stage.CANCELLED);
    assertThat(status().active()).isEmpty();
    assertThat(status().times().ended()).isPresent();
  }

  @Test
  @Tag("T60")
  void call_times_are_counted_by_model_and_by_tool() throws InterruptedException {
    var model =
        ScriptedModel.replying(
            ScriptedModel.calls(look("c1"), look("c2")), ScriptedModel.text("Sunny."));
    weather(model).run("Weather?", options);
    var timing = ThreadJournal.of(store, "t").project(CallTiming.projection()).value();
    assertThat(timing.models())
        .singleElement()
        .satisfies(one -> {
          assertThat(one.name()).isEqualTo("scripted://test");
          assertThat(one.took().count()).isEqualTo(2);
        });
    assertThat(timing.tools())
        .singleElement()
        .satisfies(one -> {
          assertThat(one.name()).isEqualTo("look");
          assertThat(one.took().count()).isEqualTo(2);
        });
  }

  @Test
  void the_oldest_agents_are_dropped() throws InterruptedException {
    var few = new AgentWatch(2);
    for (int i = 0; i < 4; i++) {
      weather(ScriptedModel.saying("x")).run("?", RunOptions.defaults().listener(few));
    }
    assertThat(few.newest(10)).hasSize(2);
  }
}
