package dev.superstep.mcp.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.graph.Graph;
import dev.superstep.json.Json;
import dev.superstep.node.Approval;
import dev.superstep.node.Question;
import dev.superstep.node.Update;
import dev.superstep.run.Answers;
import dev.superstep.run.Input;
import dev.superstep.schema.JsonSchema;
import dev.superstep.server.ExtensionServer;
import dev.superstep.service.InMemoryServiceStore;
import dev.superstep.state.Channel;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/// Approvals by clients that show no forms to their users.
@Timeout(60)
final class ApprovalsTest {
  private static final Question<String, Decided> SIGN =
      Question.of("sign", String.class, Decided.class).asApproval();
  private static final Question<String, Approval> PUBLISH =
      Question.of("publish", String.class, Approval.class);
  private static final Question<String, Decided> COLOUR =
      Question.of("colour", String.class, Decided.class);
  private static final Channel<List<String>, String> SAID = Channel.append("said", String.class);
  private static final String ANSWER = "{\"call\":\"%s\",\"answers\":{\"approved\":true}}";

  @TempDir Path folder;
  private McpHost host;
  private ExtensionServer server;
  private HttpClientOfTest client;

  record Decided(String word) {}

  private void start(boolean approvalsByTool) throws Exception {
    host =
        DeskProgram.host(folder, new InMemoryCheckpointer(), InMemoryServiceStore.open())
            .approvalsByTool(approvalsByTool)
            .graph(
                "ask_all",
                "Asks three questions at once.",
                asksAll(),
                new GraphForm(
                    JsonSchema.of(DeskProgram.Nothing.class),
                    _ -> Input.none(),
                    end -> Json.string(end.get(SAID).toString()),
                    Optional.empty()))
            .build();
    server = host.start(0);
    client = new HttpClientOfTest(server.address()).greet("{}");
  }

  @AfterEach
  void stop() {
    client.close();
    server.close();
    host.close();
  }

  private static Graph asksAll() {
    return Graph.named("asks_all")
        .channels(SAID)
        .questions(SIGN, PUBLISH, COLOUR)
        .node("sign", (_, context) -> Update.of(SAID, context.interrupt(SIGN, "Sign?").word()))
        .node(
            "publish",
            (_, context) ->
                Update.of(SAID, "published " + context.interrupt(PUBLISH, "Publish?").approved()))
        .node("colour", (_, context) -> Update.of(SAID, context.interrupt(COLOUR, "Which?").word()))
        .edge(Graph.START, "sign")
        .edge(Graph.START, "publish")
        .edge(Graph.START, "colour")
        .edge("sign", Graph.END)
        .edge("publish", Graph.END)
        .edge("colour", Graph.END)
        .compile();
  }

  private static String text(JsonNode reply) {
    return reply.path("result").path("content").path(0).path("text").asString("");
  }

  private String waiting(String tool) throws Exception {
    var waiting = client.call(tool, "{}").path("result");
    assertThat(waiting.path("isError").asBoolean()).isTrue();
    assertThat(DeskProgram.effects(folder)).isEmpty();
    return waiting.path("structuredContent").path("call").asString();
  }

  @Test
  void a_model_does_not_approve_by_the_tool_for_answers() throws Exception {
    start(false);
    var call = waiting("pay");
    var refused = client.call("answer_call", ANSWER.formatted(call));
    assertThat(text(refused)).contains("A person must approve this", "pay");
    assertThat(refused.path("result").path("isError").asBoolean()).isTrue();
    assertThat(DeskProgram.effects(folder)).isEmpty();
    assertThat(host.openCalls()).extracting(OpenCall::id).containsExactly(call);
  }

  @Test
  void an_operator_approves_and_the_client_fetches_the_result() throws Exception {
    start(false);
    var call = waiting("pay");
    var question = host.openCalls().getFirst().questions().getFirst().id();
    assertThatThrownBy(() -> host.answer(call, Answers.json(question, Json.string("perhaps"))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("does not fit");
    host.answer(call, Answers.of(question, new Approval(true, Optional.empty())));
    assertThat(DeskProgram.effects(folder)).isEqualTo("paid\n");
    assertThat(text(client.call("answer_call", ANSWER.formatted(call)))).isEqualTo("paid");
    assertThat(DeskProgram.effects(folder)).isEqualTo("paid\n");
    assertThatThrownBy(() -> host.answer(call, Answers.none()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(call);
  }

  @Test
  void approvals_by_the_tool_count_where_the_host_lets_them() throws Exception {
    start(true);
    var call = waiting("pay");
    var no = "{\"call\":\"%s\",\"answers\":{\"approved\":false,\"note\":\"Too much.\"}}";
    assertThat(text(client.call("answer_call", no.formatted(call))))
        .contains("did not approve")
        .contains("Too much.");
    assertThat(DeskProgram.effects(folder)).isEmpty();
    var other = waiting("pay");
    assertThat(text(client.call("answer_call", ANSWER.formatted(other)))).isEqualTo("paid");
    assertThat(DeskProgram.effects(folder)).isEqualTo("paid\n");
    assertThat(host.openCalls()).isEmpty();
  }

  @Test
  void other_questions_of_a_call_are_answered_by_the_tool_and_its_approvals_stay_open()
      throws Exception {
    start(false);
    var call = waiting("ask_all");
    var answers = new StringBuilder();
    for (var one : host.openCalls().getFirst().questions()) {
      var value = one.question().equals("publish") ? "{\"approved\":true}" : "{\"word\":\"given\"}";
      answers.append(answers.isEmpty() ? "" : ",").append("\"" + one.id() + "\":" + value);
    }
    var made = "{\"call\":\"%s\",\"answers\":{%s}}".formatted(call, answers);
    assertThat(text(client.call("answer_call", made))).contains("waits for answers");
    assertThat(host.openCalls().getFirst().questions())
        .extracting(open -> open.question())
        .containsExactlyInAnyOrder("sign", "publish");
  }
}
