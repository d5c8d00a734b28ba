package dev.superstep.otel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.agent.Agent;
import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.graph.RunOptions;
import dev.superstep.json.Json;
import dev.superstep.message.AssistantMessage;
import dev.superstep.message.ToolCall;
import dev.superstep.model.ChatModel;
import dev.superstep.model.ChatReply;
import dev.superstep.model.ModelException;
import dev.superstep.model.ModelRef;
import dev.superstep.model.ScriptedModel;
import dev.superstep.model.Usage;
import dev.superstep.run.Answers;
import dev.superstep.tool.SideEffect;
import dev.superstep.tool.Tool;
import dev.superstep.tool.ToolGate;
import dev.superstep.tool.ToolPolicy;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
@Tag("T60")
class AgentSpansTest {
  record City(String name) {}

  private final CollectedTelemetry collected = new CollectedTelemetry();
  private final Telemetry telemetry = Telemetry.of(collected.sdk());
  private final RunOptions options = RunOptions.defaults().listener(telemetry);

  private static ToolCall look(String id, String city) {
    return new ToolCall(id, "look", "{\"name\":\"" + city + "\"}");
  }

  private static ToolCall task(String id, String helper) {
    return new ToolCall(id, helper, "{\"task\":\"read\"}");
  }

  private static Agent<String> weather(ChatModel model) {
    var tool = Tool.of("look", "Looks.", City.class, (city, _) -> "sun in " + city.name());
    return Agent.named("weather").model(model).tools(tool).build();
  }

  @Test
  void a_run_is_a_tree_of_agents_nodes_models_and_tools() throws InterruptedException {
    weather(
            ScriptedModel.replying(
                ScriptedModel.calls(look("c1", "Oslo")), ScriptedModel.text("Sunny.")))
        .run("Weather?", options);
    assertThat(collected.tree())
        .isEqualTo(
            """
            run weather
              invoke_agent weather
                node begin
                node model
                  chat test
                node tools
                  execute_tool look
                node model
                  chat test
                node finish
            """);
    assertThat(telemetry.openSpans()).isZero();
  }

  @Test
  void calls_that_run_side_by_side_are_each_in_the_span_of_their_own_task() throws Exception {
    var both = new CyclicBarrier(2);
    var tool =
        Tool.of(
            "look",
            "Looks.",
            City.class,
            (city, _) -> {
              both.await();
              return city.name();
            });
    var model =
        ScriptedModel.replying(
            ScriptedModel.calls(look("c1", "Oslo"), look("c2", "Rome")),
            ScriptedModel.text("Sunny."));
    Agent.named("weather").model(model).tools(tool).build().run("Weather?", options);
    var tools = collected.named("execute_tool look");
    assertThat(tools)
        .extracting(span -> CollectedTelemetry.get(span, AttributeKeys.TOOL_CALL))
        .containsExactlyInAnyOrder("c1", "c2");
    assertThat(tools).extracting(span -> span.getParentSpanId()).doesNotHaveDuplicates();
    assertThat(collected.named("node tools")).hasSize(2);
  }

  @Test
  void agents_inside_of_agents_are_inside_of_the_task_that_called_them() throws Exception {
    var both = new CyclicBarrier(2);
    var helped =
        ScriptedModel.by(_ -> {
          try {
            both.await();
          } catch (Exception e) {
            throw new IllegalStateException(e);
          }
          return ScriptedModel.text("read");
        });
    var reader = Agent.named("reader").model(helped).build();
    var model =
        ScriptedModel.replying(
            ScriptedModel.calls(task("c1", "reader"), task("c2", "reader")),
            ScriptedModel.text("Both."));
    Agent.named("boss").model(model).agent(reader, "Reads.").build().run("Go.", options);
    assertThat(collected.tree())
        .isEqualTo(
            """
            run boss
              invoke_agent boss
                node begin
                node model
                  chat test
                node agent-reader
                  invoke_agent reader
                    node begin
                    node model
                      chat test
                    node finish
                node agent-reader
                  invoke_agent reader
                    node begin
                    node model
                      chat test
                    node finish
                node model
                  chat test
                node finish
            """);
    var boss = collected.one("invoke_agent boss");
    assertThat(collected.named("invoke_agent reader"))
        .allSatisfy(span -> {
          assertThat(CollectedTelemetry.get(span, AttributeKeys.AGENT_PARENT))
              .isEqualTo(CollectedTelemetry.get(boss, AttributeKeys.AGENT_RUN));
          assertThat(CollectedTelemetry.get(span, AttributeKeys.AGENT_ROOT))
              .isEqualTo(CollectedTelemetry.get(boss, AttributeKeys.AGENT_RUN));
        });
  }

  /// A vendor's model.
  private record Vendor(ChatReply reply) implements ChatModel {
    @Override
    public ModelRef ref() {
      return ModelRef.parse("openai://gpt-5.2");
    }

    @Override
    public ChatReply call(dev.superstep.model.ChatRequest request) {
      return reply;
    }
  }

  @Test
  void a_call_of_a_model_has_the_names_of_the_conventions() throws InterruptedException {
    var reply =
        new ChatReply(
            new AssistantMessage("", "Hi.", List.of()),
            new Usage(100, 40, 30, 20, 5, false),
            ChatReply.Finish.STOP,
            ModelRef.parse("openai://gpt-5.2"),
            ChatReply.Source.LIVE,
            new ChatReply.Receipt("resp-1", "gpt-5.2-2026-01-05"));
    var kept = RunOptions.thread("t-7").checkpoints(new InMemoryCheckpointer()).listener(telemetry);
    Agent.named("greeter").model(new Vendor(reply)).build().run("Hi", kept);
    var chat = collected.one("chat gpt-5.2");
    assertThat(chat.getKind()).isEqualTo(SpanKind.CLIENT);
    var told = new java.util.TreeMap<String, Object>();
    chat.getAttributes().forEach((key, value) -> told.put(key.getKey(), value));
    told.remove("gen_ai.response.time_to_first_chunk");
    assertThat(told)
        .containsEntry("gen_ai.operation.name", "chat")
        .containsEntry("gen_ai.provider.name", "openai")
        .containsEntry("gen_ai.request.model", "gpt-5.2")
        .containsEntry("gen_ai.response.model", "gpt-5.2-2026-01-05")
        .containsEntry("gen_ai.response.id", "resp-1")
        .containsEntry("gen_ai.response.finish_reasons", List.of("stop"))
        .containsEntry("gen_ai.usage.input_tokens", 100L)
        .containsEntry("gen_ai.usage.cache_read.input_tokens", 40L)
        .containsEntry("gen_ai.usage.cache_creation.input_tokens", 30L)
        .containsEntry("gen_ai.usage.output_tokens", 20L)
        .containsEntry("gen_ai.usage.reasoning.output_tokens", 5L)
        .containsEntry("gen_ai.conversation.id", "t-7")
        .containsEntry("gen_ai.agent.name", "greeter");
    var agent = collected.one("invoke_agent greeter");
    assertThat(CollectedTelemetry.get(agent, AttributeKeys.OPERATION)).isEqualTo("invoke_agent");
    assertThat(CollectedTelemetry.get(agent, AttributeKeys.CONVERSATION)).isEqualTo("t-7");
    assertThat(CollectedTelemetry.get(agent, AttributeKeys.INPUT_TOKENS)).isEqualTo(100);
    assertThat(CollectedTelemetry.get(agent, AttributeKeys.AGENT_REASON)).isEqualTo("ANSWERED");
  }

  @Test
  void a_failure_ends_every_span_with_its_code_and_not_with_its_message() {
    var model =
        ScriptedModel.by(_ -> {
          throw new ModelException(ModelException.Kind.AUTH, "key sk-secret is wrong");
        });
    assertThatThrownBy(() -> weather(model).run("Weather?", options))
        .isInstanceOf(ModelException.class);
    assertThat(telemetry.openSpans()).isZero();
    for (var name : List.of("chat test", "node model", "invoke_agent weather", "run weather")) {
      var span = collected.one(name);
      assertThat(span.getStatus().getStatusCode()).as(name).isEqualTo(StatusCode.ERROR);
      assertThat(CollectedTelemetry.get(span, AttributeKeys.ERROR_TYPE))
          .as(name)
          .isNotEqualTo(RunTrace.OTHER);
    }
    assertThat(CollectedTelemetry.get(collected.one("chat test"), AttributeKeys.ERROR_TYPE))
        .startsWith("model.");
    assertThat(
            CollectedTelemetry.get(collected.one("invoke_agent weather"), AttributeKeys.ERROR_TYPE))
        .isEqualTo(CollectedTelemetry.get(collected.one("chat test"), AttributeKeys.ERROR_TYPE));
    assertThat(collected.everything()).doesNotContain("sk-secret");
  }

  @Test
  void a_tool_that_fails_has_an_error_and_its_agent_does_not() throws InterruptedException {
    var tool =
        Tool.of(
            "look",
            "Looks.",
            City.class,
            (_, _) -> dev.superstep.tool.ToolResult.error("no such city"));
    var model =
        ScriptedModel.replying(
            ScriptedModel.calls(look("c1", "Oslo")), ScriptedModel.text("Sorry."));
    Agent.named("weather").model(model).tools(tool).build().run("Weather?", options);
    assertThat(collected.one("execute_tool look").getStatus().getStatusCode())
        .isEqualTo(StatusCode.ERROR);
    assertThat(collected.one("invoke_agent weather").getStatus().getStatusCode())
        .isEqualTo(StatusCode.UNSET);
  }

  @Test
  void a_question_ends_the_trace_and_its_answer_begins_another_that_is_linked() throws Exception {
    var pay =
        Tool.of("look", "Pays.", City.class, (city, _) -> "paid " + city.name())
            .withPolicy(ToolPolicy.of(SideEffect.PAYMENT));
    var model =
        ScriptedModel.replying(
            ScriptedModel.calls(look("c1", "Oslo")), ScriptedModel.text("Done."));
    var agent =
        Agent.named("desk")
            .model(model)
            .tools(pay)
            .gate(ToolGate.open().confirming(SideEffect.PAYMENT))
            .build();
    var kept = RunOptions.thread("t").checkpoints(new InMemoryCheckpointer()).listener(telemetry);
    var waiting = agent.run("Pay.", kept);
    assertThat(telemetry.openSpans()).isZero();
    var first = collected.one("run desk");
    assertThat(CollectedTelemetry.get(first, AttributeKeys.OUTCOME)).isEqualTo("interrupted");
    var review = collected.one("node review");
    assertThat(review.getEvents())
        .singleElement()
        .satisfies(event -> {
          assertThat(event.getName()).isEqualTo("superstep.interrupt.raised");
          assertThat(event.getAttributes().get(AttributeKeys.QUESTION)).isEqualTo("review");
        });
    assertThat(CollectedTelemetry.get(review, AttributeKeys.OUTCOME)).isEqualTo("interrupted");
    assertThat(review.getStatus().getStatusCode()).isEqualTo(StatusCode.UNSET);

    var id =
        ((dev.superstep.agent.AgentResult.Waiting<String>) waiting).questions().getFirst().id();
    var approve = Json.parse("{\"decisions\":[{\"type\":\"approve\"}]}");
    agent.resume(Answers.json(id, approve), kept);
    var second = collected.named("run desk").getLast();
    assertThat(second.getTraceId()).isNotEqualTo(first.getTraceId());
    assertThat(second.getLinks())
        .singleElement()
        .satisfies(
            link -> assertThat(link.getSpanContext().getSpanId()).isEqualTo(first.getSpanId()));
    assertThat(CollectedTelemetry.get(second, AttributeKeys.RESUMED)).isTrue();
    assertThat(CollectedTelemetry.get(second, AttributeKeys.CONVERSATION)).isEqualTo("t");
    var again = collected.named("invoke_agent desk").getLast();
    assertThat(CollectedTelemetry.get(again, AttributeKeys.RESUMED)).isTrue();
    assertThat(CollectedTelemetry.get(again, AttributeKeys.AGENT_RUN))
        .isEqualTo(
            CollectedTelemetry.get(
                collected.named("invoke_agent desk").getFirst(), AttributeKeys.AGENT_RUN));
    assertThat(telemetry.openSpans()).isZero();
  }

  @Test
  void a_run_in_a_span_of_the_program_is_inside_of_it() throws InterruptedException {
    var request = collected.sdk().getTracer("web").spanBuilder("POST /ask").startSpan();
    try (var _ = request.makeCurrent()) {
      weather(ScriptedModel.saying("Sunny.")).run("Weather?", options);
    }
    request.end();
    assertThat(collected.tree()).startsWith("POST /ask\n  run weather\n    invoke_agent weather");
  }

  @Test
  void a_tool_can_make_spans_inside_of_its_own() throws InterruptedException {
    var tool =
        Tool.of(
            "look",
            "Looks.",
            City.class,
            (_, context) -> {
              try (var _ = telemetry.within(context.node()).makeCurrent()) {
                collected.sdk().getTracer("http").spanBuilder("GET /weather").startSpan().end();
              }
              return "sun";
            });
    var model =
        ScriptedModel.replying(
            ScriptedModel.calls(look("c1", "Oslo")), ScriptedModel.text("Sunny."));
    Agent.named("weather").model(model).tools(tool).build().run("Weather?", options);
    var get = collected.one("GET /weather");
    assertThat(get.getParentSpanId()).isEqualTo(collected.one("execute_tool look").getSpanId());
  }
}
