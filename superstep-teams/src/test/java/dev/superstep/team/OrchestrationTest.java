package dev.superstep.team;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.agent.Agent;
import dev.superstep.agent.AgentBuilder;
import dev.superstep.budget.Budget;
import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.detached.DetachedTasks;
import dev.superstep.graph.RunOptions;
import dev.superstep.json.Json;
import dev.superstep.message.ToolCall;
import dev.superstep.message.ToolMessage;
import dev.superstep.model.ChatReply;
import dev.superstep.model.ChatRequest;
import dev.superstep.model.ScriptedModel;
import dev.superstep.team.Orchestration.Kind;
import dev.superstep.team.TaskTools.Status;
import dev.superstep.team.TaskTools.View;
import dev.superstep.team.TaskTools.Views;
import dev.superstep.tool.Tool;
import dev.superstep.tool.ToolGate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
@Tag("T133")
class OrchestrationTest {
  record Nothing() {}

  private final AtomicInteger ids = new AtomicInteger();
  private final AtomicReference<Instant> now = new AtomicReference<>(Instant.EPOCH);
  private final DetachedTasks<String> tasks =
      DetachedTasks.open(20, Duration.ZERO, now::get, () -> "task-" + ids.incrementAndGet());
  private final Orchestration work =
      Orchestration.over(tasks)
          .work("say", "Says.", Kind.TOOL, (task, _) -> "said " + task)
          .work(
              "break",
              "Breaks.",
              Kind.GRAPH,
              (_, _) -> {
                throw new IllegalStateException("broken");
              })
          .work(
              "hang",
              "Hangs.",
              Kind.EXTERNAL_PROCESS,
              (_, _) -> {
                new CountDownLatch(1).await();
                return "never";
              });

  @AfterEach
  void close() {
    tasks.close();
  }

  private static ToolCall spawn(String id, String what, String task) {
    return call(id, "spawn_task", "{\"work\":\"%s\",\"task\":\"%s\"}".formatted(what, task));
  }

  private static ToolCall call(String id, String tool, String arguments) {
    return new ToolCall(id, tool, arguments);
  }

  private static ToolCall await(String... ids) {
    return call("a", "await_tasks", "{\"tasks\":[\"" + String.join("\",\"", ids) + "\"]}");
  }

  private static ToolCall listing(String filter) {
    return call("l", "list_tasks", "{" + filter + "}");
  }

  /// What the tools answer to these calls, each in a turn of its own.
  private List<ToolMessage> answers(RunOptions options, ToolCall... calls) throws Exception {
    return answers(Agent.named("boss"), options, calls);
  }

  private List<ToolMessage> answers(AgentBuilder boss, RunOptions options, ToolCall... calls)
      throws Exception {
    var replies = new ArrayList<ChatReply>();
    for (var call : calls) replies.add(ScriptedModel.calls(call));
    replies.add(ScriptedModel.text("Done."));
    var model = ScriptedModel.replying(replies.toArray(ChatReply[]::new));
    var agent = boss.model(model).middleware(work).build();
    return agent.run("Go.", options).report().conversation().stream()
        .filter(ToolMessage.class::isInstance)
        .map(ToolMessage.class::cast)
        .toList()
        .reversed()
        .subList(0, calls.length)
        .reversed();
  }

  private static List<View> views(ToolMessage answer) {
    return Json.parse(answer.text()).as(Views.class).tasks();
  }

  private static RunOptions kept(String thread) {
    return RunOptions.thread(thread).checkpoints(new InMemoryCheckpointer());
  }

  @Test
  void work_is_started_and_awaited_and_returns_its_result() throws Exception {
    var answers =
        answers(
            kept("t"),
            spawn("s1", "say", "hi"),
            spawn("s2", "break", ""),
            await("task-1", "task-2"),
            spawn("s3", "fly", "x"),
            await("task-9"));
    assertThat(answers.getFirst().text()).isEqualTo("{\"id\":\"task-1\",\"work\":\"say\"}");
    assertThat(views(answers.get(2)))
        .extracting(View::status, v -> v.result().orElse(""), v -> v.error().orElse(""))
        .containsExactly(
            org.assertj.core.api.Assertions.tuple(Status.FINISHED, "said hi", ""),
            org.assertj.core.api.Assertions.tuple(
                Status.FAILED, "", "IllegalStateException: broken"));
    assertThat(answers.get(3).text()).contains("There is no work `fly`");
    assertThat(answers.get(4).text()).contains("There is no detached task `task-9`");
    assertThat(answers)
        .extracting(ToolMessage::error)
        .containsExactly(false, false, false, true, true);
  }

  @Test
  void an_agent_that_does_not_wait_sees_running_work_and_can_cancel_it() throws Exception {
    var answers =
        answers(
            kept("t"),
            spawn("s1", "hang", "x"),
            call("a", "await_tasks", "{\"tasks\":[\"task-1\"],\"seconds\":0}"),
            call("c", "cancel_tasks", "{\"tasks\":[\"task-1\"]}"));
    assertThat(views(answers.get(1)).getFirst().status()).isEqualTo(Status.RUNNING);
    assertThat(views(answers.get(2)).getFirst().status()).isIn(Status.RUNNING, Status.CANCELLED);
    var end = tasks.ownedBy("thread t").await("task-1", Duration.ofSeconds(30));
    assertThat(Status.of(end)).isEqualTo(Status.CANCELLED);
  }

  @Test
  void a_race_is_won_by_the_first_result_and_the_others_are_cancelled() throws Exception {
    var answers =
        answers(
            kept("t"),
            spawn("s1", "hang", "x"),
            spawn("s2", "break", "x"),
            spawn("s3", "say", "first"),
            call("r", "race_tasks", "{\"tasks\":[\"task-1\",\"task-2\",\"task-3\"]}"),
            call("r", "race_tasks", "{\"tasks\":[\"task-2\"]}"));
    assertThat(views(answers.get(3)))
        .singleElement()
        .satisfies(view -> assertThat(view.result()).contains("said first"));
    assertThat(answers.get(4).error()).isTrue();
    var end = tasks.ownedBy("thread t").await("task-1", Duration.ofSeconds(30));
    assertThat(Status.of(end)).isEqualTo(Status.CANCELLED);
  }

  @Test
  void tasks_are_found_by_their_attributes() throws Exception {
    answers(kept("t"), spawn("s1", "say", "hi"), await("task-1"));
    now.set(Instant.EPOCH.plusSeconds(60));
    answers(kept("t"), spawn("s1", "hang", "hi"));
    var parent = tasks.ownedBy("thread t").info("task-1").labels().get("parent");
    Function<String, List<String>> found =
        filter -> {
          try {
            var answer = answers(kept("t"), listing(filter)).getFirst();
            return views(answer).stream().map(View::id).toList();
          } catch (Exception e) {
            throw new IllegalStateException(e);
          }
        };
    assertThat(found.apply("")).containsExactly("task-1", "task-2");
    assertThat(found.apply("\"parent\":\"" + parent + "\"")).containsExactly("task-1");
    assertThat(found.apply("\"root\":\"" + parent + "\"")).containsExactly("task-1");
    assertThat(found.apply("\"thread\":\"other\"")).isEmpty();
    assertThat(found.apply("\"thread\":\"t\",\"node\":\"tools\"")).hasSize(2);
    assertThat(found.apply("\"node\":\"model\"")).isEmpty();
    assertThat(found.apply("\"status\":\"RUNNING\"")).containsExactly("task-2");
    assertThat(found.apply("\"kind\":\"TOOL\"")).containsExactly("task-1");
    assertThat(found.apply("\"createdFrom\":\"1970-01-01T00:01:00Z\"")).containsExactly("task-2");
    assertThat(found.apply("\"createdUntil\":\"1970-01-01T00:01:00Z\"")).containsExactly("task-1");
  }

  @Test
  void tasks_of_another_thread_are_invisible() throws Exception {
    answers(kept("t"), spawn("s1", "say", "secret"));
    var answers =
        answers(
            kept("other"),
            listing(""),
            await("task-1"),
            call("c", "cancel_tasks", "{\"tasks\":[\"task-1\"]}"),
            call("r", "race_tasks", "{\"tasks\":[\"task-1\"]}"));
    assertThat(views(answers.getFirst())).isEmpty();
    assertThat(answers.subList(1, 4))
        .allSatisfy(answer -> {
          assertThat(answer.error()).isTrue();
          assertThat(answer.text()).contains("does not belong to `thread other`");
        });
    // Without a thread, tasks belong to the run.
    var alone = answers(RunOptions.defaults(), spawn("s1", "say", "x"), listing(""));
    assertThat(views(alone.getLast())).extracting(View::id).containsExactly("task-2");
    assertThat(views(answers(RunOptions.defaults(), listing("")).getFirst())).isEmpty();
  }

  @Test
  @Tag("T33")
  void an_agent_that_was_started_may_do_no_more_and_spends_from_the_same_budget() throws Exception {
    var ran = new AtomicInteger();
    var pay = Tool.of("pay", "Pays.", Nothing.class, (_, _) -> "" + ran.incrementAndGet());
    var helped = new ArrayList<ChatRequest>();
    var helper =
        Agent.named("helper")
            .model(
                ScriptedModel.by(request -> {
                  helped.add(request);
                  return ScriptedModel.text("re " + request.messages().getLast().text());
                }))
            .tools(pay)
            .build();
    var with = work.agent(helper, "Helps.");
    var model =
        ScriptedModel.replying(
            ScriptedModel.calls(spawn("s1", "helper", "one")),
            ScriptedModel.calls(await("task-1")),
            ScriptedModel.text("Never asked."));
    var boss =
        Agent.named("boss")
            .model(model)
            .middleware(with)
            .gate(ToolGate.open().without("pay"))
            .budget(Budget.unlimited().calls(3))
            .build();
    // Two turns of its own and one of the helper.
    assertThatThrownBy(() -> boss.run("Go.", kept("t")))
        .isInstanceOf(dev.superstep.budget.BudgetExceeded.class);
    assertThat(helped).singleElement().satisfies(r -> assertThat(r.tools()).isEmpty());
    assertThat(Status.of(tasks.ownedBy("thread t").await("task-1", Duration.ofSeconds(30))))
        .isEqualTo(Status.FINISHED);
  }

  @Test
  void a_spawned_agent_sees_only_its_own_tasks() throws Exception {
    var inner =
        ScriptedModel.replying(
            ScriptedModel.calls(spawn("i1", "hang", "deep")),
            ScriptedModel.calls(listing("")),
            ScriptedModel.calls(await("task-1")),
            ScriptedModel.text("Inner."));
    var middle = Agent.named("middle").model(inner).middleware(work).build();
    var model =
        ScriptedModel.replying(
            ScriptedModel.calls(spawn("s1", "hang", "x")),
            ScriptedModel.calls(spawn("s2", "middle", "y")),
            ScriptedModel.calls(await("task-2")),
            ScriptedModel.calls(listing("")),
            ScriptedModel.calls(call("c", "cancel_tasks", "{\"tasks\":[\"task-2\"]}")),
            ScriptedModel.text("Outer."));
    var boss =
        Agent.named("boss").model(model).middleware(work.agent(middle, "Is between.")).build();
    boss.run("Go.", kept("t"));
    var last = inner.requests().getLast().messages();
    assertThat(views((ToolMessage) last.get(last.size() - 3)))
        .extracting(View::id)
        .containsExactly("task-3");
    assertThat(last.getLast().text()).contains("not started by you: [task-1]");
    var outer = model.requests().getLast().messages();
    assertThat(views((ToolMessage) outer.get(outer.size() - 3)))
        .extracting(View::id)
        .containsExactly("task-1", "task-2", "task-3");
    // What a cancelled agent started is cancelled with it.
    var owned = tasks.ownedBy("thread t");
    assertThat(Status.of(owned.await("task-3", Duration.ofSeconds(30))))
        .isEqualTo(Status.CANCELLED);
    assertThat(Status.of(owned.await("task-1", Duration.ZERO))).isEqualTo(Status.RUNNING);
  }
}
