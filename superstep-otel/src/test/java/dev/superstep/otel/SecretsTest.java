package dev.superstep.otel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.agent.Agent;
import dev.superstep.agent.status.AgentStatuses;
import dev.superstep.agent.status.AgentWatch;
import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.event.Redaction;
import dev.superstep.graph.RunOptions;
import dev.superstep.journal.ThreadJournal;
import dev.superstep.message.AssistantMessage;
import dev.superstep.message.ToolCall;
import dev.superstep.model.ChatReply;
import dev.superstep.model.ScriptedModel;
import dev.superstep.model.Usage;
import dev.superstep.store.InMemoryStore;
import dev.superstep.store.Namespace;
import dev.superstep.tool.Tool;
import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Every text that a program, a model, a tool or a person wrote holds this word.
@Timeout(60)
@Tag("T127")
class SecretsTest {
  private static final String SECRET = "hunter2";

  record Search(String text) {}

  private final CollectedTelemetry collected = new CollectedTelemetry();
  private final InMemoryCheckpointer checkpoints = new InMemoryCheckpointer();
  private final AgentWatch watch = new AgentWatch(10);

  private Agent<String> agent(boolean fails) {
    var tool =
        Tool.of(
            "search",
            "Searches.",
            Search.class,
            (search, context) -> {
              context.progress("looking for " + SECRET);
              if (fails) throw new IllegalStateException("no access with " + SECRET);
              context.node().emit("found", SECRET);
              context.node().store().put(Namespace.of("notes"), SECRET, SECRET);
              return "found " + search.text();
            });
    var thoughts =
        new ChatReply(
            new AssistantMessage(
                "",
                "I look for " + SECRET,
                List.of(
                    new ToolCall("c1", "search", "{\"text\":\"" + SECRET + "\"}"),
                    new ToolCall("c2", "tool_" + SECRET, "{}"),
                    new ToolCall("c3", "search", "{\"" + SECRET + "\":1}"))),
            Usage.NONE,
            ChatReply.Finish.TOOL_CALLS,
            dev.superstep.model.ModelRef.parse("scripted://test"),
            ChatReply.Source.SCRIPTED);
    var model = ScriptedModel.replying(thoughts, ScriptedModel.text("It is " + SECRET));
    return Agent.named("finder")
        .model(model)
        .instructions("The password is " + SECRET)
        .tools(tool)
        .build();
  }

  private RunOptions options(Telemetry telemetry) {
    return RunOptions.thread("t")
        .checkpoints(checkpoints)
        .journal(Redaction.payloads())
        .label("user", SECRET)
        .store(InMemoryStore.open())
        .listener(watch)
        .listener(telemetry, telemetry.details());
  }

  private String journal() throws java.io.IOException {
    var out = new StringWriter();
    ThreadJournal.of(checkpoints, "t").exportTo(out);
    return out.toString();
  }

  @Test
  void secrets_are_in_no_span_metric_status_or_redacted_journal() throws Exception {
    agent(false).run("Where is " + SECRET + "?", options(Telemetry.of(collected.sdk())));
    assertThat(collected.spans()).hasSizeGreaterThan(8);
    assertThat(collected.everything()).doesNotContain(SECRET);
    assertThat(journal()).contains("tool.started").doesNotContain(SECRET);
    assertThat(watch.newest(10).toString()).contains("finder").doesNotContain(SECRET);
    var projected =
        ThreadJournal.of(checkpoints, "t").project(AgentStatuses.projection()).json().text();
    assertThat(projected).doesNotContain(SECRET);
  }

  @Test
  void secrets_are_not_in_the_telemetry_of_a_failed_run() throws Exception {
    var failing = agent(true);
    var model =
        ScriptedModel.by(_ -> {
          throw new IllegalStateException("cannot say " + SECRET);
        });
    var telemetry = Telemetry.of(collected.sdk());
    failing.run("Where is " + SECRET + "?", options(telemetry));
    assertThatThrownBy(() ->
            Agent.named("finder").model(model).build().run("It is " + SECRET, options(telemetry)))
        .hasStackTraceContaining(SECRET);
    assertThat(collected.everything()).doesNotContain(SECRET);
    assertThat(watch.newest(10).toString()).doesNotContain(SECRET);
    assertThat(journal()).doesNotContain(SECRET);
  }

  private static final Capture ALL =
      Capture.of(
          text -> text.replace(SECRET, "***"),
          Payload.ANSWERS,
          Payload.ARGUMENTS,
          Payload.WRITES,
          Payload.QUESTIONS,
          Payload.ERRORS);

  @Test
  void requested_payloads_are_redacted() throws Exception {
    var telemetry = Telemetry.of(collected.sdk(), TelemetryOptions.defaults().withCapture(ALL));
    agent(false).run("Where is " + SECRET + "?", options(telemetry));
    assertThat(collected.everything()).doesNotContain(SECRET);
    assertThat(
            collected
                .named("chat test")
                .getLast()
                .getAttributes()
                .get(AttributeKeys.OUTPUT_MESSAGES))
        .isEqualTo(
            """
            [{"role":"assistant","parts":[{"type":"text","content":"It is ***"}],\
            "finish_reason":"stop"}]\
            """);
    assertThat(collected.named("node tools"))
        .anySatisfy(span ->
            assertThat(CollectedTelemetry.get(span, AttributeKeys.ARGUMENT))
                .contains("search")
                .contains("***"));
    assertThat(collected.named("node tools"))
        .anySatisfy(span ->
            assertThat(CollectedTelemetry.get(span, AttributeKeys.WRITES)).contains("found ***"));
    assertThat(collected.tree()).startsWith("run finder\n  invoke_agent finder\n    node begin");
  }

  @Test
  void a_redaction_that_throws_drops_everything() throws Exception {
    var broken =
        Capture.of(
            _ -> {
              throw new IllegalStateException();
            },
            Payload.ANSWERS,
            Payload.ERRORS);
    var telemetry = Telemetry.of(collected.sdk(), TelemetryOptions.defaults().withCapture(broken));
    agent(false).run("Where is " + SECRET + "?", options(telemetry));
    assertThat(collected.everything()).doesNotContain(SECRET).contains(Redaction.REDACTED);
  }
}
