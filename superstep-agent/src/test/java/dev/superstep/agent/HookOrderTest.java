package dev.superstep.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.agent.run.AgentEvent;
import dev.superstep.agent.run.LimitReached;
import dev.superstep.agent.run.StopReason;
import dev.superstep.agent.steering.Steer;
import dev.superstep.agent.steering.Steering;
import dev.superstep.agent.steering.SteeringCommand;
import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.graph.RunOptions;
import dev.superstep.message.ToolCall;
import dev.superstep.message.ToolMessage;
import dev.superstep.middleware.AgentContext;
import dev.superstep.middleware.Control;
import dev.superstep.middleware.Middleware;
import dev.superstep.middleware.Retrying;
import dev.superstep.model.ChatModel;
import dev.superstep.model.ChatReply;
import dev.superstep.model.ChatRequest;
import dev.superstep.model.ModelException;
import dev.superstep.model.ScriptedModel;
import dev.superstep.node.Update;
import dev.superstep.state.Channel;
import dev.superstep.tool.OnBadArguments;
import dev.superstep.tool.OnUnknownTool;
import dev.superstep.tool.Tool;
import dev.superstep.tool.ToolError;
import dev.superstep.tool.ToolPiece;
import dev.superstep.tool.ToolResult;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// The order of hooks, checks and events, and what middleware can decide.
@Timeout(30)
class HookOrderTest {
  record Nothing() {}

  record Count(int times) {}

  private final List<String> log = new CopyOnWriteArrayList<>();

  /// Writes down each of its hooks.
  private class Logging implements Middleware {
    private final String name;

    Logging(String name) {
      this.name = name;
    }

    private void log(String hook) {
      log.add(name + " " + hook);
    }

    @Override
    public String name() {
      return name;
    }

    @Override
    public void beforeAgent(AgentContext context) throws Exception {
      log("beforeAgent");
    }

    @Override
    public ChatRequest beforeModel(ChatRequest request, AgentContext context) throws Exception {
      log("beforeModel");
      return request;
    }

    @Override
    public ChatReply aroundModel(ChatRequest request, AgentContext context, ModelNext next)
        throws Exception {
      log("aroundModel >");
      var reply = next.call(request);
      log("aroundModel <");
      return reply;
    }

    @Override
    public boolean receivesDeltas() {
      return true;
    }

    @Override
    public ChatModel.DeltaListener onDelta(AgentContext context) {
      return text -> log("onDelta " + text);
    }

    @Override
    public ChatReply afterModel(ChatReply reply, AgentContext context) throws Exception {
      log("afterModel");
      return reply;
    }

    @Override
    public ToolCall beforeTool(ToolCall call, AgentContext context) throws Exception {
      log("beforeTool");
      return call;
    }

    @Override
    public ToolResult aroundTool(ToolCall call, AgentContext context, ToolNext next)
        throws Exception {
      log("aroundTool >");
      var result = next.call(call);
      log("aroundTool <");
      return result;
    }

    @Override
    public void onToolDelta(ToolPiece piece, AgentContext context) {
      log("onToolDelta " + piece.text());
    }

    @Override
    public ToolResult afterTool(ToolCall call, ToolResult result, AgentContext context)
        throws Exception {
      log("afterTool");
      return result;
    }

    @Override
    public void beforeSteering(SteeringCommand command, AgentContext context) throws Exception {
      log("beforeSteering " + command.steer().getClass().getSimpleName());
    }

    @Override
    public void afterSteering(SteeringCommand command, Steering.State state, AgentContext context)
        throws Exception {
      log("afterSteering " + state);
    }

    @Override
    public void afterAgent(AgentContext context) throws Exception {
      log("afterAgent");
    }

    @Override
    public void onError(Exception error, AgentContext context) throws Exception {
      log("onError");
      throw new IllegalStateException("an error in an error hook");
    }
  }

  private static ScriptedModel calling(ToolCall... calls) {
    return ScriptedModel.by(request ->
        request.messages().size() == 1 ? ScriptedModel.calls(calls) : ScriptedModel.text("Done."));
  }

  @Test
  @Tag("T34")
  @Tag("T42")
  @Tag("T43")
  void hooks_checks_and_events_of_a_run_come_in_one_order() throws Exception {
    var tool =
        Tool.of(
            "work",
            "Works.",
            Nothing.class,
            (_, context) -> {
              context.progress("half");
              log.add("tool runs");
              return "worked";
            });
    var agent =
        Agent.named("a")
            .model(calling(new ToolCall("c", "work", "{}")))
            .tools(tool)
            .middleware(new Logging("1"), new Logging("2"))
            .build();
    var options =
        RunOptions.defaults()
            .listener(
                AgentEvent.listener(event -> {
                  if (event.name().startsWith("tool.")) log.add("event " + event.name());
                }));
    assertThat(agent.run("Go.", options).answer()).isEqualTo("Done.");
    assertThat(log)
        .containsExactly(
            "1 beforeAgent",
            "2 beforeAgent",
            "1 beforeModel",
            "2 beforeModel",
            "1 aroundModel >",
            "2 aroundModel >",
            "2 aroundModel <",
            "1 aroundModel <",
            "2 afterModel",
            "1 afterModel",
            "1 beforeTool",
            "2 beforeTool",
            "event tool.started",
            "1 aroundTool >",
            "2 aroundTool >",
            "event tool.progress",
            "1 onToolDelta half",
            "2 onToolDelta half",
            "tool runs",
            "2 aroundTool <",
            "1 aroundTool <",
            "2 afterTool",
            "1 afterTool",
            "event tool.completed",
            "1 beforeModel",
            "2 beforeModel",
            "1 aroundModel >",
            "2 aroundModel >",
            "1 onDelta Done.",
            "2 onDelta Done.",
            "2 aroundModel <",
            "1 aroundModel <",
            "2 afterModel",
            "1 afterModel",
            "2 afterAgent",
            "1 afterAgent");
  }

  @Test
  @Tag("T43")
  void an_error_in_an_error_hook_hides_no_error() {
    var failing =
        ScriptedModel.by(_ -> {
          throw new ModelException(ModelException.Kind.AUTH, "no key");
        });
    var agent =
        Agent.named("a").model(failing).middleware(new Logging("1"), new Logging("2")).build();
    assertThatThrownBy(() -> agent.run("Go."))
        .isInstanceOf(ModelException.class)
        .hasMessage("no key");
    assertThat(log).endsWith("2 onError", "1 onError");
  }

  @Test
  @Tag("T42")
  void hooks_see_commands_before_and_after_they_are_applied() throws Exception {
    var steering = Steering.standard();
    steering.human("ada", new Steer.AddInstruction("Be brief."));
    var agent =
        Agent.named("a")
            .model(ScriptedModel.saying("Done."))
            .middleware(new Logging("1"), new Logging("2"))
            .build();
    var _ = agent.run("Go.", RunOptions.defaults().with(Steering.KEY, steering));
    assertThat(log)
        .containsSubsequence(
            "1 beforeAgent",
            "1 beforeSteering AddInstruction",
            "2 beforeSteering AddInstruction",
            "2 afterSteering APPLIED",
            "1 afterSteering APPLIED",
            "1 beforeModel");
  }

  @Test
  @Tag("T43")
  void a_wrapper_may_call_the_rest_never_once_or_often() throws Exception {
    for (int times = 0; times < 4; times++) {
      int often = times;
      var model = ScriptedModel.by(_ -> ScriptedModel.text("from the model"));
      var wrapper =
          new Middleware() {
            @Override
            public ChatReply aroundModel(ChatRequest request, AgentContext context, ModelNext next)
                throws Exception {
              var reply = ScriptedModel.text("from the wrapper");
              for (int i = 0; i < often; i++) reply = next.call(request);
              return reply;
            }
          };
      var result = Agent.named("a").model(model).middleware(wrapper).build().run("Go.");
      assertThat(model.calls()).isEqualTo(often);
      assertThat(result.answer()).isEqualTo(often == 0 ? "from the wrapper" : "from the model");
    }
  }

  /// Asks for something after each reply.
  private static Middleware asking(Control... controls) {
    return new Middleware() {
      @Override
      public ChatReply afterModel(ChatReply reply, AgentContext context) {
        for (var control : controls) context.control(control, "test");
        return reply;
      }
    };
  }

  @Test
  @Tag("T44")
  void of_several_requests_for_control_the_highest_rank_wins_in_any_order() throws Exception {
    var again = new Control.ToModel();
    var stop = new Control.StopWith("stopped");
    var fail = new Control.Fail(StopReason.STOPPED);
    for (var order : List.of(List.of(stop, fail, again), List.of(fail, again, stop))) {
      var agent = once(order.toArray(Control[]::new));
      assertThatThrownBy(() -> agent.run("Go.")).isInstanceOf(LimitReached.class);
    }
    for (var order : List.of(List.of(stop, again), List.of(again, stop))) {
      assertThat(once(order.toArray(Control[]::new)).run("Go.").answer()).isEqualTo("stopped");
    }
    var first = once(new Control.StopWith("one"), new Control.StopWith("two"));
    assertThat(first.run("Go.").answer()).isEqualTo("one");
  }

  private static Agent<String> once(Control... controls) {
    return Agent.named("a")
        .model(ScriptedModel.saying("reply"))
        .middleware(asking(controls))
        .build();
  }

  @Test
  @Tag("T44")
  void control_is_applied_after_a_response_and_is_an_event() throws Exception {
    var told = new ArrayList<AgentEvent>();
    var model = calling(new ToolCall("c", "work", "{}"));
    var tool =
        Tool.of(
            "work",
            "Works.",
            Nothing.class,
            (_, _) -> {
              log.add("tool runs");
              return "worked";
            });
    var agent =
        Agent.named("a")
            .model(model)
            .tools(tool)
            .middleware(asking(new Control.StopWith("enough")))
            .build();
    var result = agent.run("Go.", RunOptions.defaults().listener(AgentEvent.listener(told::add)));
    assertThat(result.answer()).isEqualTo("enough");
    assertThat(model.calls()).isEqualTo(1);
    assertThat(log).isEmpty();
    assertThat(told)
        .filteredOn(AgentEvent.ControlApplied.class::isInstance)
        .containsExactly(new AgentEvent.ControlApplied("a", "StopWith", "test"));
    assertThat(told)
        .filteredOn(
            e -> e instanceof AgentEvent.ModelCompleted || e instanceof AgentEvent.ControlApplied)
        .extracting(AgentEvent::name)
        .containsExactly("model.completed", "control.applied");
  }

  private static final Channel<Long, Long> TOTAL = Channel.sum("total");

  @Test
  @Tag("W32")
  @Tag("X24")
  void wrapped_calls_run_side_by_side_and_their_changes_of_state_are_merged() throws Exception {
    var both = new CyclicBarrier(2);
    var tool =
        Tool.of(
            "count",
            "Counts.",
            Count.class,
            (count, _) -> {
              // Would never end if one call waited for the other.
              both.await(20, TimeUnit.SECONDS);
              return ToolResult.of("counted").withPatch(Update.of(TOTAL, (long) count.times()));
            });
    var seen = new CopyOnWriteArrayList<Long>();
    var counting =
        new Middleware() {
          @Override
          public List<Channel<?, ?>> channels() {
            return List.of(TOTAL);
          }

          @Override
          public ToolResult aroundTool(ToolCall call, AgentContext context, ToolNext next)
              throws Exception {
            return next.call(call);
          }

          @Override
          public ChatRequest beforeModel(ChatRequest request, AgentContext context) {
            seen.add(context.find(TOTAL).orElse(0L));
            return request;
          }
        };
    var agent =
        Agent.named("a")
            .model(
                calling(
                    new ToolCall("c1", "count", "{\"times\":2}"),
                    new ToolCall("c2", "count", "{\"times\":5}")))
            .tools(tool)
            .middleware(counting)
            .build();
    var options = RunOptions.thread("t").checkpoints(new InMemoryCheckpointer());
    assertThat(agent.run("Go.", options).answer()).isEqualTo("Done.");
    assertThat(seen).containsExactly(0L, 7L);
    assertThat(agent.graph().state(options).orElseThrow().state().get(TOTAL)).isEqualTo(7L);
  }

  private AgentBuilder erring(ToolCall... calls) {
    var tool =
        Tool.of(
            "work",
            "Works.",
            Count.class,
            (count, _) -> {
              log.add("work " + count.times());
              return "worked";
            });
    return Agent.named("a").model(calling(calls)).tools(tool);
  }

  private static final ToolCall UNKNOWN = new ToolCall("u", "wrok", "{\"times\":1}");
  private static final ToolCall BAD = new ToolCall("b", "work", "{\"times\":\"x\"}");
  private static final ToolCall BROKEN = new ToolCall("x", "work", "{\"times\":");
  private static final ToolCall WRAPPED = new ToolCall("w", "work", "{\"input\":{\"times\":3}}");

  @Test
  @Tag("T29")
  void unknown_tools_and_bad_arguments_follow_their_policy() throws Exception {
    for (var call : List.of(UNKNOWN, BAD, BROKEN, WRAPPED)) {
      var result = erring(call).build().run("Go.");
      assertThat(result.answer()).isEqualTo("Done.");
      assertThat(result.report().toolCalls()).isEqualTo(1);
      assertThat(result.report().conversation())
          .filteredOn(ToolMessage.class::isInstance)
          .singleElement()
          .satisfies(m -> {
            assertThat(((ToolMessage) m).error()).isTrue();
            assertThat(((ToolMessage) m).callId()).isEqualTo(call.id());
          });
    }
    assertThat(log).isEmpty();
    assertThatThrownBy(
            () -> erring(UNKNOWN).onUnknownTool(new OnUnknownTool.Fail()).build().run("Go."))
        .isInstanceOf(ToolError.UnknownTool.class);
    assertThatThrownBy(() -> erring(BAD).onBadArguments(OnBadArguments.FAIL).build().run("Go."))
        .isInstanceOf(ToolError.Deserialize.class);
    var _ = erring(UNKNOWN).onUnknownTool(new OnUnknownTool.Rewrite("work")).build().run("Go.");
    var _ = erring(WRAPPED).onBadArguments(OnBadArguments.NORMALIZE).build().run("Go.");
    assertThat(log).containsExactly("work 1", "work 3");
  }

  @Test
  @Tag("T29")
  void a_bad_call_costs_a_call_and_is_told_with_its_tool() throws Exception {
    var told = new ArrayList<AgentEvent>();
    var agent = erring(UNKNOWN, BAD).toolCalls(2).build();
    var result = agent.run("Go.", RunOptions.defaults().listener(AgentEvent.listener(told::add)));
    assertThat(result.report().toolCalls()).isEqualTo(2);
    assertThat(told)
        .contains(
            new AgentEvent.ToolUnknown("a", "u", "wrok"),
            new AgentEvent.ToolInvalidArguments("a", "b", "work"));
    assertThatThrownBy(() -> erring(UNKNOWN, BAD).toolCalls(1).build().run("Go."))
        .isInstanceOf(LimitReached.class);
  }

  @Test
  @Tag("T6")
  @Tag("T7")
  void a_run_has_an_identity_and_limits_and_calls_inside_inherit_them() throws Exception {
    var runs = new CopyOnWriteArrayList<AgentEvent.AgentStarted>();
    var threads = new CopyOnWriteArrayList<String>();
    var store = dev.superstep.store.InMemoryStore.open();
    var seen = new CopyOnWriteArrayList<Object>();
    var looking =
        new Middleware() {
          @Override
          public void beforeAgent(AgentContext context) {
            threads.add(context.node().thread().orElse("none"));
            seen.add(context.node().store());
            log.add(context.agent() + " calls " + context.ledger().spent().calls());
          }
        };
    var helper =
        Agent.named("helper")
            .model(ScriptedModel.by(_ -> ScriptedModel.text("helped")))
            .middleware(looking)
            .build();
    var agent =
        Agent.named("boss")
            .model(calling(new ToolCall("c", "helper", "{\"task\":\"x\"}")))
            .agent(helper, "Helps.")
            .middleware(looking, Retrying.times(1))
            .build();
    var options =
        RunOptions.thread("t")
            .checkpoints(new InMemoryCheckpointer())
            .store(store)
            .listener(
                AgentEvent.listener(event -> {
                  if (event instanceof AgentEvent.AgentStarted started) runs.add(started);
                }));
    var result = agent.run("Go.", options);
    assertThat(runs).hasSize(2);
    var boss = runs.getFirst();
    var inner = runs.getLast();
    assertThat(boss.parent()).isEmpty();
    assertThat(boss.root()).isEqualTo(boss.run());
    assertThat(inner.parent()).isEqualTo(boss.run());
    assertThat(inner.root()).isEqualTo(boss.run());
    assertThat(inner.run()).isNotEqualTo(boss.run());
    assertThat(threads).containsExactly("t", "t");
    assertThat(seen).containsExactly(store, store);
    assertThat(result.report().spent().calls()).isEqualTo(3);
  }
}
