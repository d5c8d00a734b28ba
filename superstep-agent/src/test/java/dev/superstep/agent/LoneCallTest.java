package dev.superstep.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.error.NodeFailed;
import dev.superstep.error.NodeTimedOut;
import dev.superstep.graph.Graph;
import dev.superstep.graph.NodePolicy;
import dev.superstep.graph.RunOptions;
import dev.superstep.message.Message;
import dev.superstep.message.Messages;
import dev.superstep.message.ToolCall;
import dev.superstep.message.ToolMessage;
import dev.superstep.middleware.AgentContext;
import dev.superstep.middleware.Middleware;
import dev.superstep.model.ChatModel;
import dev.superstep.model.ChatReply;
import dev.superstep.model.ChatRequest;
import dev.superstep.model.ScriptedModel;
import dev.superstep.run.Input;
import dev.superstep.run.Outcome;
import dev.superstep.tool.Tool;
import dev.superstep.tool.ToolResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// A tool call that is alone runs on the thread of the run, within all its limits.
@Timeout(60)
class LoneCallTest {
  private static final Duration SHORT = Duration.ofMillis(20);

  record None() {}

  /// The kind of thread that calls an agent.
  enum Caller {
    PLATFORM,
    VIRTUAL;

    Thread thread(Runnable work) {
      return this == PLATFORM
          ? Thread.ofPlatform().daemon().unstarted(work)
          : Thread.ofVirtual().unstarted(work);
    }

    <T> T call(Callable<T> work) throws Exception {
      var task = new FutureTask<>(work);
      thread(task).start();
      return task.get();
    }
  }

  private static ToolCall call(int number, String tool) {
    return new ToolCall("c" + number, tool, "{}");
  }

  private static ScriptedModel calling(String... tools) {
    var replies = new ArrayList<ChatReply>();
    for (var tool : tools) replies.add(ScriptedModel.calls(call(replies.size(), tool)));
    replies.add(ScriptedModel.text("Done."));
    return ScriptedModel.replying(replies);
  }

  private final CountDownLatch released = new CountDownLatch(1);
  private final AtomicReference<@Nullable Thread> stuckOn = new AtomicReference<>();
  private final AtomicReference<@Nullable Throwable> afterwards = new AtomicReference<>();
  private final AtomicBoolean interrupted = new AtomicBoolean();

  /// Ignores its interruption until the test releases it, and then acts once more.
  private final Tool stuck =
      Tool.of(
              "stick",
              "Sticks.",
              None.class,
              (_, context) -> {
                stuckOn.set(Thread.currentThread());
                while (true) {
                  try {
                    released.await();
                    break;
                  } catch (InterruptedException _) {
                    interrupted.set(true);
                  }
                }
                try {
                  context.node().step("late", String.class, () -> "too late");
                } catch (Throwable e) {
                  afterwards.set(e);
                  throw e;
                }
                return "nobody hears this";
              })
          .withTimeout(SHORT);

  private static List<String> toolTexts(AgentResult<String> result) {
    var texts = new ArrayList<String>();
    for (var message : result.report().conversation()) {
      if (message instanceof ToolMessage answer) texts.add(answer.text());
    }
    return texts;
  }

  @ParameterizedTest
  @EnumSource
  void a_hundred_calls_run_on_one_thread_of_the_engine(Caller caller) throws Exception {
    Set<Thread> threads = Collections.synchronizedSet(new HashSet<>());
    var mark =
        Tool.of(
            "mark",
            "Marks.",
            None.class,
            (_, _) -> {
              threads.add(Thread.currentThread());
              return "marked";
            });
    var names = Collections.nCopies(100, "mark").toArray(String[]::new);
    var agent =
        Agent.named("a").model(calling(names)).tools(mark).modelCalls(101).toolCalls(100).build();
    var callers = new AtomicReference<@Nullable Thread>();
    var answer =
        caller.call(() -> {
          callers.set(Thread.currentThread());
          return agent.run("Go.").answer();
        });
    assertThat(answer).isEqualTo("Done.");
    assertThat(threads).hasSize(1).doesNotContain(callers.get()).allMatch(Thread::isVirtual);
  }

  @ParameterizedTest
  @EnumSource
  void a_call_that_takes_too_long_is_interrupted_and_the_run_goes_on(Caller caller)
      throws Exception {
    var slow =
        Tool.of(
                "sleep",
                "Sleeps.",
                None.class,
                (_, _) -> {
                  new CountDownLatch(1).await();
                  return "never";
                })
            .withTimeout(SHORT);
    var flags = new ArrayList<Boolean>();
    var watching =
        new Middleware() {
          @Override
          public ChatRequest beforeModel(ChatRequest request, AgentContext context) {
            flags.add(Thread.currentThread().isInterrupted());
            return request;
          }
        };
    var agent =
        Agent.named("a").model(calling("sleep", "sleep")).tools(slow).middleware(watching).build();
    var result = caller.call(() -> agent.run("Go."));
    assertThat(toolTexts(result))
        .containsExactly(
            "The tool did not finish within 20 ms.", "The tool did not finish within 20 ms.");
    assertThat(flags).containsExactly(false, false, false);
  }

  @ParameterizedTest
  @EnumSource
  void a_stuck_call_is_left_behind_and_what_it_does_later_is_dropped(Caller caller)
      throws Exception {
    var threads = new ArrayList<Thread>();
    var quick =
        Tool.of(
            "quick",
            "Is quick.",
            None.class,
            (_, _) -> {
              threads.add(Thread.currentThread());
              return "quick";
            });
    var after = new AtomicInteger();
    var counting =
        new Middleware() {
          @Override
          public ToolResult afterTool(ToolCall call, ToolResult result, AgentContext context) {
            after.incrementAndGet();
            return result;
          }
        };
    var agent =
        Agent.named("a")
            .model(calling("quick", "stick", "quick"))
            .tools(quick, stuck)
            .middleware(counting)
            .build();
    var result = caller.call(() -> agent.run("Go."));
    assertThat(result.answer()).isEqualTo("Done.");
    assertThat(toolTexts(result))
        .containsExactly("quick", "The tool did not finish within 20 ms.", "quick");
    assertThat(after).hasValue(3);
    assertThat(interrupted).isTrue();
    var left = stuckOn.get();
    assertThat(threads).hasSize(2).first().isEqualTo(left);
    assertThat(threads.getLast()).isNotEqualTo(left);
    assertThat(left.isAlive()).isTrue();
    released.countDown();
    left.join();
    assertThat(afterwards.get()).isInstanceOf(Error.class);
    assertThat(after).hasValue(3);
  }

  @ParameterizedTest
  @EnumSource
  void a_thread_goes_on_after_a_stuck_call(Caller caller) throws Exception {
    var store = new InMemoryCheckpointer();
    var agent = Agent.named("a").model(calling("stick")).tools(stuck).build();
    var options = RunOptions.thread("t").checkpoints(store);
    caller.call(() -> agent.run("Go.", options));
    var next = Agent.named("a").model(ScriptedModel.saying("Again.")).tools(stuck).build();
    var result = caller.call(() -> next.run("And now?", options));
    assertThat(result.answer()).isEqualTo("Again.");
    assertThat(toolTexts(result)).containsExactly("The tool did not finish within 20 ms.");
    released.countDown();
    stuckOn.get().join();
    var state = next.graph().state(options).orElseThrow();
    assertThat(state.next()).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void middleware_around_a_stuck_call_gets_its_result(Caller caller) throws Exception {
    var seen = new ArrayList<String>();
    var around =
        new Middleware() {
          @Override
          public ToolResult aroundTool(ToolCall call, AgentContext context, ToolNext next)
              throws Exception {
            var result = next.call(call);
            seen.add(result.text());
            return result;
          }
        };
    var agent = Agent.named("a").model(calling("stick")).tools(stuck).middleware(around).build();
    assertThat(caller.call(() -> agent.run("Go.").answer())).isEqualTo("Done.");
    assertThat(seen).containsExactly("The tool did not finish within 20 ms.");
    released.countDown();
  }

  @ParameterizedTest
  @EnumSource
  void an_interrupted_caller_cancels_the_call(Caller caller) throws Exception {
    var begun = new CountDownLatch(1);
    var ended = new AtomicReference<@Nullable Throwable>();
    var waiting =
        Tool.of(
            "wait",
            "Waits.",
            None.class,
            (_, _) -> {
              begun.countDown();
              try {
                new CountDownLatch(1).await();
                return "never";
              } catch (InterruptedException e) {
                ended.set(e);
                throw e;
              }
            });
    var model = calling("wait");
    var agent = Agent.named("a").model(model).tools(waiting).build();
    var thrown = new AtomicReference<@Nullable Throwable>();
    var thread =
        caller.thread(() -> {
          try {
            agent.run("Go.");
          } catch (Throwable e) {
            thrown.set(e);
          }
        });
    thread.start();
    begun.await();
    thread.interrupt();
    thread.join();
    assertThat(thrown.get()).isInstanceOf(InterruptedException.class);
    assertThat(ended.get()).isInstanceOf(InterruptedException.class);
    assertThat(model.calls()).isEqualTo(1);
  }

  @ParameterizedTest
  @EnumSource
  void an_interrupted_caller_does_not_wait_for_a_stuck_call(Caller caller) throws Exception {
    var model = calling("stick");
    var agent = Agent.named("a").model(model).tools(stuck.withTimeout(Duration.ofHours(1))).build();
    var thrown = new AtomicReference<@Nullable Throwable>();
    var thread =
        caller.thread(() -> {
          try {
            agent.run("Go.");
          } catch (Throwable e) {
            thrown.set(e);
          }
        });
    thread.start();
    while (stuckOn.get() == null) Thread.onSpinWait();
    thread.interrupt();
    thread.join();
    assertThat(thrown.get()).isInstanceOf(InterruptedException.class);
    assertThat(stuckOn.get().isAlive()).isTrue();
    assertThat(model.calls()).isEqualTo(1);
    released.countDown();
    stuckOn.get().join();
  }

  @ParameterizedTest
  @EnumSource
  void a_call_that_interrupts_its_own_thread_leaves_no_trace(Caller caller) throws Exception {
    var self =
        Tool.of(
            "self",
            "Interrupts itself.",
            None.class,
            (_, _) -> {
              Thread.currentThread().interrupt();
              return "done";
            });
    var agent = Agent.named("a").model(calling("self", "self")).tools(self).build();
    var result = caller.call(() -> agent.run("Go."));
    assertThat(toolTexts(result)).containsExactly("done", "done");
  }

  private static final ThreadLocal<String> LOCAL = ThreadLocal.withInitial(() -> "nobody");
  private static final ScopedValue<String> SCOPED = ScopedValue.newInstance();

  @ParameterizedTest
  @EnumSource
  void what_is_bound_to_the_caller_is_carried_over_where_it_is_asked_for(Caller caller)
      throws Exception {
    var seen = Collections.synchronizedList(new ArrayList<String>());
    var look =
        Tool.of(
            "look",
            "Looks.",
            None.class,
            (_, _) -> {
              seen.add("tool " + LOCAL.get() + " " + SCOPED.orElse("nobody"));
              return "seen";
            });
    var replies = calling("look", "look");
    ChatModel model =
        ScriptedModel.by(request -> {
          seen.add("model " + LOCAL.get() + " " + SCOPED.orElse("nobody"));
          try {
            return replies.call(request);
          } catch (InterruptedException e) {
            throw new IllegalStateException(e);
          }
        });
    var agent = Agent.named("a").model(model).tools(look).build();
    var options =
        RunOptions.defaults()
            .carrying(work -> {
              var local = LOCAL.get();
              var scoped = SCOPED.get();
              return () -> {
                LOCAL.set(local);
                ScopedValue.where(SCOPED, scoped).run(work);
              };
            });
    caller.call(() -> {
      LOCAL.set("ada");
      return ScopedValue.where(SCOPED, "eve").call(() -> agent.run("Go.", options));
    });
    assertThat(seen)
        .containsExactly(
            "model ada eve", "tool ada eve", "model ada eve", "tool ada eve", "model ada eve");
  }

  @Test
  void an_error_shows_where_the_run_was_called() {
    var replies = calling("quick");
    var quick = Tool.of("quick", "Is quick.", None.class, (_, _) -> "quick");
    var turns = new AtomicInteger();
    ChatModel model =
        ScriptedModel.by(request -> {
          if (turns.incrementAndGet() == 2) throw new IllegalStateException("broken");
          try {
            return replies.call(request);
          } catch (InterruptedException e) {
            throw new IllegalStateException(e);
          }
        });
    var agent = Agent.named("a").model(model).tools(quick).build();
    assertThatThrownBy(() -> agent.run("Go."))
        .satisfies(error ->
            assertThat(error.getSuppressed())
                .anySatisfy(one ->
                    assertThat(one.getStackTrace())
                        .anyMatch(at -> at.getClassName().equals(LoneCallTest.class.getName()))));
  }

  @ParameterizedTest
  @EnumSource
  void an_agent_that_is_called_leaves_its_own_stuck_call_behind(Caller caller) throws Exception {
    var inner = Agent.named("inner").model(calling("stick")).tools(stuck).build();
    var outer =
        Agent.named("outer")
            .model(
                ScriptedModel.replying(
                    ScriptedModel.calls(new ToolCall("o1", "inner", "{\"task\":\"Stick.\"}")),
                    ScriptedModel.text("Outer done.")))
            .agent(inner, "Sticks for others.")
            .build();
    var result = caller.call(() -> outer.run("Go."));
    assertThat(result.answer()).isEqualTo("Outer done.");
    assertThat(toolTexts(result)).containsExactly("Done.");
    released.countDown();
    stuckOn.get().join();
  }

  @ParameterizedTest
  @EnumSource
  void a_stuck_call_in_a_node_of_limited_time_ends_with_that(Caller caller) throws Exception {
    var agent = Agent.named("a").model(calling("stick")).tools(stuck.withoutTimeout()).build();
    var messages = Messages.channel("messages");
    var graph =
        Graph.named("outer")
            .channels(messages)
            .node("agent", agent.on(messages), NodePolicy.defaults().timeout(SHORT))
            .edge(Graph.START, "agent")
            .edge("agent", Graph.END)
            .compile();
    var thrown =
        caller.call(() -> {
          try {
            graph.invoke(Input.of(messages, Message.user("Go.")));
            return null;
          } catch (NodeFailed e) {
            return e;
          }
        });
    assertThat(thrown).isNotNull();
    assertThat(thrown.getCause()).isInstanceOf(NodeTimedOut.class);
    released.countDown();
    // It may have been too late for the tool to begin.
    var on = stuckOn.get();
    if (on != null) on.join();
  }

  @ParameterizedTest
  @EnumSource
  void an_agent_in_a_graph_leaves_a_stuck_call_behind(Caller caller) throws Exception {
    var agent = Agent.named("a").model(calling("stick")).tools(stuck).build();
    var messages = Messages.channel("messages");
    var graph =
        Graph.named("outer")
            .channels(messages)
            .node("agent", agent.on(messages), NodePolicy.defaults().timeout(Duration.ofHours(1)))
            .edge(Graph.START, "agent")
            .edge("agent", Graph.END)
            .compile();
    var outcome = caller.call(() -> graph.invoke(Input.of(messages, Message.user("Go."))));
    var end = ((Outcome.Completed) outcome).state().get(messages);
    assertThat(end.getLast().text()).isEqualTo("Done.");
    released.countDown();
    stuckOn.get().join();
  }
}
