package dev.superstep.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.agent.Agent;
import dev.superstep.agent.AgentResult;
import dev.superstep.agent.AgentResult.Answered;
import dev.superstep.agent.AgentResult.Waiting;
import dev.superstep.budget.Budget;
import dev.superstep.budget.Ledger;
import dev.superstep.checkpoint.Checkpointer;
import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.graph.RunOptions;
import dev.superstep.json.Json;
import dev.superstep.message.ToolCall;
import dev.superstep.message.ToolMessage;
import dev.superstep.model.ChatRequest;
import dev.superstep.model.ScriptedModel;
import dev.superstep.node.Approval;
import dev.superstep.run.Answers;
import dev.superstep.tool.GateDecision;
import dev.superstep.tool.SideEffect;
import dev.superstep.tool.ToolBatch;
import dev.superstep.tool.ToolGate;
import dev.superstep.tool.ToolPolicy;
import dev.superstep.tool.Tools;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Tools of a server in agents: they are tools like all others, and what the server asks or changes
/// is a question of the run.
@Timeout(120)
final class AgentToolsTest {
  @TempDir Path folder;

  private final Checkpointer store = new InMemoryCheckpointer();
  private final RunOptions options = RunOptions.thread("t1").checkpoints(store);

  private Path notes() {
    return folder.resolve("notes.txt");
  }

  private Path pins() {
    return folder.resolve("pins.json");
  }

  private McpServer server(String behaviour) {
    return ScriptedServer.of(behaviour, notes());
  }

  private long calls() throws IOException {
    return Files.readString(notes()).lines().filter("call"::equals).count();
  }

  /// Calls the tool once and repeats its result.
  private static ScriptedModel model() {
    return ScriptedModel.by(request -> {
      if (request.messages().getLast() instanceof ToolMessage result) {
        return ScriptedModel.text((result.error() ? "error: " : "") + result.text());
      }
      return ScriptedModel.calls(new ToolCall("c1", "odd_echo", "{}"));
    });
  }

  private static Agent<String> agent(McpConnection connection) throws InterruptedException {
    return agent(connection, ToolGate.open());
  }

  private static Agent<String> agent(McpConnection connection, ToolGate gate)
      throws InterruptedException {
    return Agent.named("desk")
        .model(model())
        .tools(Tools.of(connection.tools()))
        .gate(gate)
        .build();
  }

  private static String answer(AgentResult<String> result) {
    assertThat(result).isInstanceOf(Answered.class);
    return ((Answered<String>) result).answer();
  }

  private static Waiting<String> waiting(AgentResult<String> result) {
    assertThat(result).isInstanceOf(Waiting.class);
    return (Waiting<String>) result;
  }

  // --- As any tool ---

  @Test
  void an_agent_calls_a_tool_and_sees_its_result() throws Exception {
    try (var connection = server("plain").connect()) {
      assertThat(answer(agent(connection).run("Go."))).isEqualTo("call 1");
    }
  }

  @Test
  void a_failure_of_the_way_to_the_server_is_a_result_that_the_model_sees() throws Exception {
    try (var connection = server("dies in a call").connect()) {
      assertThat(answer(agent(connection).run("Go.")))
          .startsWith("error: MCP server `odd` was lost during `tools/call`");
      assertThat(calls()).isEqualTo(1);
    }
  }

  @Test
  void gates_and_policies_hold_for_tools_of_servers() throws Exception {
    var paying = server("plain").policy("echo", ToolPolicy.of(SideEffect.PAYMENT));
    try (var connection = paying.connect()) {
      var refused = answer(agent(connection, ToolGate.open().without("odd_echo")).run("Go."));
      assertThat(refused).startsWith("error: ");
      var asking = agent(connection, ToolGate.open().confirming(SideEffect.PAYMENT));
      assertThat(waiting(asking.run("Go.", options)).questions()).hasSize(1);
      assertThat(Files.readString(notes()).lines()).doesNotContain("call");
    }
  }

  @Test
  void what_a_server_says_of_effects_counts_only_if_it_is_trusted() throws Exception {
    var call = new ToolCall("c1", "odd_echo", "{}");
    try (var connection = server("hints").connect()) {
      var tool = connection.tools().getFirst();
      assertThat(tool.policy()).isEqualTo(ToolPolicy.UNCLASSIFIED);
      assertThat(ToolGate.strict().judge(tool, call)).isInstanceOf(GateDecision.Deny.class);
    }
    try (var connection = server("hints").trustingHints().connect()) {
      assertThat(connection.tools().getFirst().policy()).isEqualTo(ToolPolicy.readOnly());
    }
  }

  @Test
  void only_the_tools_that_are_named_are_taken() throws Exception {
    try (var connection = server("one tool more").only("echo").connect()) {
      assertThat(Tools.of(connection.tools()).names()).containsExactly("odd_echo");
    }
  }

  @Test
  void the_limit_on_calls_of_an_agent_holds() throws Exception {
    try (var connection = server("plain").connect()) {
      var greedy =
          ScriptedModel.by(
              (ChatRequest _) -> ScriptedModel.calls(new ToolCall("c1", "odd_echo", "{}")));
      var agent =
          Agent.named("desk")
              .model(greedy)
              .tools(Tools.of(connection.tools()))
              .toolCalls(2)
              .build();
      try {
        var _ = agent.run("Go.");
      } catch (RuntimeException e) {
        assertThat(e).hasMessageContaining("2");
      }
      assertThat(calls()).isEqualTo(2);
    }
  }

  // --- Changed tools ---

  @Test
  void a_tool_that_changed_since_it_was_approved_is_asked_about_again() throws Exception {
    try (var before = server("plain").pins(ToolPins.in(pins())).connect()) {
      assertThat(before.tools()).hasSize(1);
    }
    for (var change : List.of("other schema", "other description")) {
      try (var connection = server(change).pins(ToolPins.in(pins())).connect()) {
        var agent = agent(connection);
        var thread = RunOptions.thread(change).checkpoints(store);
        // The model sees what was approved.
        assertThat(connection.tools().getFirst().spec().description()).isEqualTo("Says it.");
        var asked = waiting(agent.run("Go.", thread)).questions().getFirst();
        var shown = McpQuestions.TOOL_CHANGED.read(asked);
        assertThat(shown.tool()).isEqualTo("echo");
        assertThat(shown.approved()).isPresent();
        assertThat(shown.offered().text()).containsAnyOf("secret", "Ignore all rules.");
        var no = Answers.of(asked.id(), McpQuestions.TOOL_CHANGED, Approval.no("Odd."));
        assertThat(answer(agent.resume(no, thread))).startsWith("error: ").contains("Odd.");
        assertThat(Files.readString(notes()).lines()).doesNotContain("call");
      }
    }
  }

  @Test
  void an_approved_change_is_called_and_not_asked_about_again_by_another_process()
      throws Exception {
    try (var before = server("plain").pins(ToolPins.in(pins())).connect()) {
      assertThat(before.tools()).hasSize(1);
    }
    try (var connection = server("other description").pins(ToolPins.in(pins())).connect()) {
      var agent = agent(connection);
      var asked = waiting(agent.run("Go.", options)).questions().getFirst();
      var yes = Answers.of(asked.id(), McpQuestions.TOOL_CHANGED, Approval.yes());
      assertThat(answer(agent.resume(yes, options))).isEqualTo("call 1");
    }
    try (var later = server("other description").pins(ToolPins.in(pins())).connect()) {
      assertThat(answer(agent(later).run("Go."))).isEqualTo("call 1");
    }
  }

  @Test
  void a_tool_that_was_added_later_is_shown_without_its_text_until_it_is_approved()
      throws Exception {
    try (var before = server("plain").pins(ToolPins.in(pins())).connect()) {
      assertThat(before.tools()).hasSize(1);
    }
    try (var connection = server("one tool more").pins(ToolPins.in(pins())).connect()) {
      assertThat(Tools.of(connection.tools()).specs().toString()).doesNotContain("Ignore");
      assertThat(connection.approve("mail")).isTrue();
      assertThat(Tools.of(connection.tools()).specs().toString()).contains("Ignore");
      assertThat(connection.approve("none")).isFalse();
    }
  }

  @Test
  void a_change_that_the_server_tells_is_noticed_by_tools_that_an_agent_has_already()
      throws Exception {
    var again = new ToolCall("c2", "odd_echo", "{}");
    try (var connection = server("changes after a call").connect()) {
      var changed = new java.util.concurrent.Semaphore(0);
      connection.onToolsChanged(changed::release);
      var batch = ToolBatch.of(Tools.of(connection.tools()));
      assertThat(batch.run(List.of(again)).getFirst().text()).isEqualTo("done");
      changed.acquire();
      assertThat(batch.run(List.of(again)).getFirst())
          .matches(ToolMessage::error)
          .extracting(ToolMessage::text)
          .asString()
          .contains("nobody is here to approve it");
      assertThat(calls()).isEqualTo(1);
    }
  }

  @Test
  void a_tool_that_the_server_took_away_is_an_error_that_the_model_sees() throws Exception {
    var again = new ToolCall("c2", "odd_echo", "{}");
    try (var connection = server("loses its tool").connect()) {
      var changed = new java.util.concurrent.Semaphore(0);
      connection.onToolsChanged(changed::release);
      var batch = ToolBatch.of(Tools.of(connection.tools()));
      var _ = batch.run(List.of(again));
      changed.acquire();
      assertThat(batch.run(List.of(again)).getFirst().text()).contains("does not offer");
      assertThat(connection.tools()).isEmpty();
    }
  }

  // --- Questions of the server ---

  @Test
  void what_a_server_asks_is_a_question_of_the_run_that_outlives_the_connection() throws Exception {
    String question;
    try (var connection = server("elicits").asking().connect()) {
      var asked = waiting(agent(connection).run("Go.", options)).questions().getFirst();
      var shown = McpQuestions.ELICITED.read(asked);
      assertThat(shown.message()).isEqualTo("Which size?");
      question = asked.id();
    }
    // The server has died, and with it the call; another connection makes it again.
    try (var connection = server("elicits").asking().connect()) {
      var size = McpAnswer.accept(Json.parse("{\"size\":42}"));
      var answers = Answers.of(question, McpQuestions.ELICITED, size);
      assertThat(answer(agent(connection).resume(answers, options)))
          .contains("'action':'accept'")
          .contains("'size':42")
          // The default of the form, which the person left.
          .contains("'colour':'red'");
      assertThat(calls()).isEqualTo(2);
    }
  }

  @Test
  void a_no_of_the_person_is_told_to_the_server() throws Exception {
    try (var connection = server("elicits").asking().connect()) {
      var agent = agent(connection);
      var asked = waiting(agent.run("Go.", options)).questions().getFirst();
      var no = Answers.of(asked.id(), McpQuestions.ELICITED, McpAnswer.decline());
      assertThat(answer(agent.resume(no, options))).contains("'action':'decline'");
    }
  }

  @Test
  void an_answer_counts_only_for_what_was_asked() throws Exception {
    try (var connection = server("elicits otherwise").asking().connect()) {
      var agent = agent(connection);
      var asked = waiting(agent.run("Go.", options)).questions().getFirst();
      var size = McpAnswer.accept(Json.parse("{\"size\":42}"));
      var answers = Answers.of(asked.id(), McpQuestions.ELICITED, size);
      // The server words it differently the second time, and so it is asked again.
      var second = waiting(agent.resume(answers, options)).questions().getFirst();
      assertThat(McpQuestions.ELICITED.read(second))
          .isNotEqualTo(McpQuestions.ELICITED.read(asked));
      assertThat(Files.readString(notes())).contains("\"cancel\"").doesNotContain("42");
    }
  }

  @Test
  void an_answer_that_does_not_fit_the_form_is_asked_for_again() throws Exception {
    try (var connection = server("elicits").asking().connect()) {
      var agent = agent(connection);
      var asked = waiting(agent.run("Go.", options)).questions().getFirst();
      var bad = McpAnswer.accept(Json.parse("{\"size\":\"large\"}"));
      var second =
          waiting(agent.resume(Answers.of(asked.id(), McpQuestions.ELICITED, bad), options))
              .questions()
              .getFirst();
      var good = McpAnswer.accept(Json.parse("{\"size\":1}"));
      assertThat(
              answer(agent.resume(Answers.of(second.id(), McpQuestions.ELICITED, good), options)))
          .contains("'size':1");
    }
  }

  @Test
  void a_page_to_visit_is_a_question_too() throws Exception {
    try (var connection = server("elicits a page").asking().connect()) {
      var agent = agent(connection);
      var asked = waiting(agent.run("Go.", options)).questions().getFirst();
      assertThat(McpQuestions.ELICITED.read(asked).url()).contains("https://pay.example/1");
      var yes = new McpAnswer(McpAnswer.Action.ACCEPT, java.util.Optional.empty());
      var answers = Answers.of(asked.id(), McpQuestions.ELICITED, yes);
      assertThat(answer(agent.resume(answers, options)))
          .contains("'action':'accept'")
          .doesNotContain("content");
    }
  }

  @Test
  void without_a_store_nobody_is_asked_and_the_server_is_told_so() throws Exception {
    try (var connection = server("elicits").asking().connect()) {
      assertThat(answer(agent(connection).run("Go."))).contains("'action':'cancel'");
    }
  }

  @Test
  void a_program_can_answer_while_the_server_waits() throws Exception {
    var live = server("elicits").answering(_ -> McpAnswer.accept(Json.parse("{\"size\":7}")));
    try (var connection = live.connect()) {
      assertThat(answer(agent(connection).run("Go."))).contains("'size':7");
    }
  }

  @Test
  void a_model_is_asked_for_a_server_only_by_what_was_granted() throws Exception {
    var granted =
        server("asks for a model")
            .sampling((name, request) -> Json.parse("{\"role\":\"assistant\",\"model\":\"m\"}"));
    try (var connection = granted.connect()) {
      assertThat(answer(agent(connection).run("Go."))).contains("'model':'m'");
    }
  }

  @Test
  void what_a_server_asks_a_model_is_paid_from_the_budget_of_the_run() throws Exception {
    var ledger = Ledger.of("run", Budget.unlimited().calls(3));
    var asked = ScriptedModel.saying("Tea.", "Tea.");
    var granted = server("asks for a model").sampling(McpSampler.of(asked, ledger, 100));
    try (var connection = granted.connect()) {
      var agent = agent(connection);
      var shared = RunOptions.defaults().with(Agent.LEDGER, ledger);
      assertThat(answer(agent.run("Go.", shared))).contains("Tea.");
      assertThat(ledger.spent().calls()).isEqualTo(3);
      // Nothing is left, neither for the agent nor for the server.
      assertThat(connection.call("echo", Json.parse("{}")).text()).contains("BudgetExceeded");
      assertThat(asked.calls()).isEqualTo(1);
    }
  }

  @Test
  void roots_are_told_to_a_server_that_asks() throws Exception {
    try (var connection = server("asks for roots").roots(folder).connect()) {
      assertThat(answer(agent(connection).run("Go."))).contains(folder.toUri().toString());
    }
  }
}
