package dev.superstep.acp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.agent.Agent;
import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.files.CollectedChanges;
import dev.superstep.files.FileTools;
import dev.superstep.files.FileTree;
import dev.superstep.graph.Graph;
import dev.superstep.message.Messages;
import dev.superstep.message.ToolCall;
import dev.superstep.message.ToolMessage;
import dev.superstep.model.ScriptedModel;
import dev.superstep.workspace.Workspace;
import java.nio.file.Path;
import java.util.HashSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Questions to the person at the editor, and cancelling.
@Timeout(120)
final class QuestionsTest {
  private static final String DEPLOY = AcpAgentTest.call("deploy", "'place':'x'");

  @TempDir Path folder;
  private final InMemoryCheckpointer store = new InMemoryCheckpointer();

  private AcpAgent agent() {
    return AcpAgent.of(new Coder(folder).builder().build(), store);
  }

  @Test
  void a_call_that_needs_approval_is_asked_about_and_made_once() throws Exception {
    try (var piped = Piped.to(agent())) {
      var editor = piped.editor().greet(false);
      var prompt = editor.begin(editor.open(folder), DEPLOY);
      var asked = editor.request();
      assertThat(asked.path("method").asString()).isEqualTo("session/request_permission");
      assertThat(asked.path("params").path("options").toString())
          .isEqualTo(
              "[{\"optionId\":\"approve\",\"name\":\"Allow\",\"kind\":\"allow_once\"},"
                  + "{\"optionId\":\"reject\",\"name\":\"Reject\",\"kind\":\"reject_once\"}]");
      var call = asked.path("params").path("toolCall");
      assertThat(call.path("toolCallId").asString()).isEqualTo("c1");
      assertThat(call.path("title").asString()).isEqualTo("deploy x");
      assertThat(Coder.effects(folder)).isEmpty();
      editor.choose(asked, "approve");
      assertThat(editor.reason(prompt)).isEqualTo("end_turn");
      assertThat(editor.said()).isEqualTo("It says: deployed to x");
      assertThat(editor.statuses()).containsExactly("c1 pending", "c1 in_progress", "c1 completed");
    }
    assertThat(Coder.effects(folder)).isEqualTo("x in " + folder.getFileName() + "\n");
  }

  @Test
  void a_rejected_call_is_not_made() throws Exception {
    try (var piped = Piped.to(agent())) {
      var editor = piped.editor().greet(false);
      var prompt = editor.begin(editor.open(folder), DEPLOY);
      editor.choose(editor.request(), "reject");
      assertThat(editor.reason(prompt)).isEqualTo("end_turn");
      assertThat(editor.statuses()).containsExactly("c1 pending", "c1 failed");
      assertThat(editor.said()).contains("rejected");
    }
    assertThat(Coder.effects(folder)).isEmpty();
  }

  @Test
  void cancelling_ends_what_is_asked_and_the_next_prompt_begins_anew() throws Exception {
    try (var piped = Piped.to(agent())) {
      var editor = piped.editor().greet(false);
      var session = editor.open(folder);
      var prompt = editor.begin(session, DEPLOY);
      var asked = editor.request();
      editor.cancel(session);
      assertThat(editor.reason(prompt)).isEqualTo("cancelled");
      assertThat(editor.statuses()).containsExactly("c1 pending", "c1 failed");
      editor.choose(asked, "approve");
      assertThat(editor.prompt(session, "hello")).isEqualTo("end_turn");
      assertThat(editor.said()).isEqualTo("You said: hello");
      assertThat(editor.hasNoRequest()).isTrue();
    }
    assertThat(Coder.effects(folder)).isEmpty();
  }

  @Test
  void an_editor_that_answers_cancelled_cancels_the_turn() throws Exception {
    try (var piped = Piped.to(agent())) {
      var editor = piped.editor().greet(false);
      var prompt = editor.begin(editor.open(folder), DEPLOY);
      editor.answer(editor.request(), "{\"outcome\":{\"outcome\":\"cancelled\"}}");
      assertThat(editor.reason(prompt)).isEqualTo("cancelled");
    }
    assertThat(Coder.effects(folder)).isEmpty();
  }

  @Test
  void cancelling_stops_a_tool_at_work() throws Exception {
    var coder = new Coder(folder);
    try (var piped = Piped.to(AcpAgent.of(coder.builder().build(), store))) {
      var editor = piped.editor().greet(false);
      var session = editor.open(folder);
      var prompt = editor.begin(session, AcpAgentTest.call("wait", ""));
      coder.began.await();
      editor.cancel(session);
      assertThat(editor.reason(prompt)).isEqualTo("cancelled");
      assertThat(editor.statuses().getLast()).isEqualTo("c1 failed");
      assertThat(editor.prompt(session, "hello")).isEqualTo("end_turn");
    }
  }

  @Test
  void a_request_is_cancelled_by_its_id() throws Exception {
    var coder = new Coder(folder);
    try (var piped = Piped.to(AcpAgent.of(coder.builder().build(), store))) {
      var editor = piped.editor().greet(false);
      var prompt = editor.begin(editor.open(folder), AcpAgentTest.call("wait", ""));
      coder.began.await();
      editor.tell("$/cancel_request", "{\"requestId\":" + prompt + "}");
      assertThat(editor.reason(prompt)).isEqualTo("cancelled");
    }
  }

  @Test
  void a_question_for_words_is_said_and_the_next_prompt_answers_it() throws Exception {
    try (var piped = Piped.to(agent())) {
      var editor = piped.editor().greet(false);
      var session = editor.open(folder);
      assertThat(editor.prompt(session, AcpAgentTest.call("name", ""))).isEqualTo("end_turn");
      assertThat(editor.said()).isEqualTo("\n\nWhich name?");
      editor.forget();
      assertThat(editor.prompt(session, "Ada")).isEqualTo("end_turn");
      assertThat(editor.said()).isEqualTo("It says: Ada");
      assertThat(editor.statuses().getLast()).isEqualTo("c1 completed");
    }
  }

  @Test
  void an_answer_that_does_not_fit_is_asked_for_again() throws Exception {
    try (var piped = Piped.to(agent())) {
      var editor = piped.editor().greet(false);
      var session = editor.open(folder);
      editor.prompt(session, AcpAgentTest.call("size", ""));
      assertThat(editor.said()).contains("Which size?", "Answer in JSON", "integer");
      for (var wrong : new String[] {"11", "large"}) {
        editor.forget();
        assertThat(editor.prompt(session, wrong)).isEqualTo("end_turn");
        assertThat(editor.said()).as(wrong).contains("Which size?");
      }
      editor.forget();
      editor.prompt(session, "7");
      assertThat(editor.said()).isEqualTo("It says: size 7");
    }
  }

  private static Editor withForms(Piped piped) throws Exception {
    var greeting = "{\"protocolVersion\":1,\"clientCapabilities\":{\"elicitation\":{\"form\":{}}}}";
    piped.editor().ask("initialize", greeting);
    return piped.editor();
  }

  @Test
  void an_editor_with_forms_shows_one_until_the_answer_fits() throws Exception {
    try (var piped = Piped.to(agent())) {
      var editor = withForms(piped);
      var prompt = editor.begin(editor.open(folder), AcpAgentTest.call("size", ""));
      var asked = editor.request();
      assertThat(asked.path("method").asString()).isEqualTo("elicitation/create");
      assertThat(asked.path("params").path("message").asString()).isEqualTo("Which size?");
      assertThat(asked.path("params").path("requestedSchema").toString())
          .contains(
              "\"properties\":{\"answer\":{\"type\":\"integer\"", "\"required\":[\"answer\"]");
      editor.answer(asked, "{\"action\":\"accept\",\"content\":{\"answer\":11}}");
      asked = editor.request();
      assertThat(asked.path("params").path("message").asString()).startsWith("at most 10");
      editor.answer(asked, "{\"action\":\"accept\",\"content\":{\"answer\":7}}");
      assertThat(editor.reason(prompt)).isEqualTo("end_turn");
      assertThat(editor.said()).isEqualTo("It says: size 7");
    }
  }

  @Test
  void a_form_has_the_fields_of_the_answer() throws Exception {
    try (var piped = Piped.to(agent())) {
      var editor = withForms(piped);
      var prompt = editor.begin(editor.open(folder), AcpAgentTest.call("person", ""));
      var asked = editor.request();
      var schema = asked.path("params").path("requestedSchema");
      assertThat(schema.path("properties").path("name").path("type").asString())
          .isEqualTo("string");
      assertThat(schema.path("required").toString()).isEqualTo("[\"name\"]");
      editor.answer(asked, "{\"action\":\"accept\",\"content\":{\"name\":\"Ada\"}}");
      assertThat(editor.reason(prompt)).isEqualTo("end_turn");
      assertThat(editor.said()).contains("Person[name=Ada, age=Optional.empty]");
    }
  }

  @Test
  void a_form_that_is_declined_or_broken_leaves_the_question_in_words() throws Exception {
    for (var reply :
        new String[] {
          "{\"action\":\"decline\"}",
          "{\"action\":\"cancel\"}",
          "{}",
          "null",
          "17",
          "{\"action\":[]}"
        }) {
      try (var piped = Piped.to(agent())) {
        var editor = withForms(piped);
        var session = editor.open(folder);
        var prompt = editor.begin(session, AcpAgentTest.call("name", ""));
        editor.answer(editor.request(), reply);
        assertThat(editor.reason(prompt)).isEqualTo("end_turn");
        assertThat(editor.said()).as(reply).isEqualTo("\n\nWhich name?");
        assertThat(editor.prompt(session, "Ada")).isEqualTo("end_turn");
        assertThat(editor.said()).as(reply).endsWith("It says: Ada");
      }
    }
  }

  @Test
  void cancelling_ends_a_form() throws Exception {
    try (var piped = Piped.to(agent())) {
      var editor = withForms(piped);
      var session = editor.open(folder);
      var prompt = editor.begin(session, AcpAgentTest.call("name", ""));
      var _ = editor.request();
      editor.cancel(session);
      assertThat(editor.reason(prompt)).isEqualTo("cancelled");
      assertThat(editor.prompt(session, "hello")).isEqualTo("end_turn");
      assertThat(editor.said()).isEqualTo("You said: hello");
    }
  }

  @Test
  void a_question_with_few_answers_is_a_choice() throws Exception {
    try (var piped = Piped.to(agent())) {
      var editor = piped.editor().greet(false);
      var prompt = editor.begin(editor.open(folder), AcpAgentTest.call("colour", ""));
      var asked = editor.request();
      assertThat(asked.path("params").path("toolCall").path("title").asString())
          .isEqualTo("Which colour?");
      assertThat(asked.path("params").path("options").path(1).toString())
          .isEqualTo("{\"optionId\":\"GREEN\",\"name\":\"GREEN\",\"kind\":\"allow_once\"}");
      editor.choose(asked, "GREEN");
      assertThat(editor.reason(prompt)).isEqualTo("end_turn");
      assertThat(editor.said()).isEqualTo("It says: colour GREEN");
      var own = asked.path("params").path("toolCall").path("toolCallId").asString();
      assertThat(editor.statuses()).contains(own + " pending", own + " completed");
    }
  }

  @Test
  void a_choice_that_the_editor_does_not_answer_stays_and_is_asked_again() throws Exception {
    try (var piped = Piped.to(agent())) {
      var editor = piped.editor().greet(false);
      var session = editor.open(folder);
      var prompt = editor.begin(session, DEPLOY);
      editor.refuse(editor.request(), -32601, "what?");
      assertThat(editor.reason(prompt)).isEqualTo("end_turn");
      assertThat(editor.said()).contains("not answered");
      prompt = editor.begin(session, "and then");
      editor.choose(editor.request(), "approve");
      assertThat(editor.reason(prompt)).isEqualTo("end_turn");
      assertThat(editor.said()).contains("It says: deployed to x", "You said: and then");
    }
    assertThat(Coder.effects(folder)).hasLineCount(1);
  }

  @Test
  void several_calls_of_a_turn_are_asked_about_each() throws Exception {
    var coder = new Coder(folder);
    var model =
        ScriptedModel.by(request ->
            request.messages().getLast() instanceof ToolMessage
                ? ScriptedModel.text("done")
                : ScriptedModel.calls(
                    new ToolCall("a", "deploy", "{\"place\":\"one\"}"),
                    new ToolCall("b", "deploy", "{\"place\":\"two\"}")));
    var agent = coder.builder().model(model).build();
    try (var piped = Piped.to(AcpAgent.of(agent, store))) {
      var editor = piped.editor().greet(false);
      var prompt = editor.begin(editor.open(folder), "both");
      var first = editor.request();
      var second = editor.request();
      var ids = new HashSet<String>();
      for (var asked : new tools.jackson.databind.JsonNode[] {second, first}) {
        var id = asked.path("params").path("toolCall").path("toolCallId").asString();
        ids.add(id);
        editor.choose(asked, id.equals("b") ? "approve" : "reject");
      }
      assertThat(ids).containsExactlyInAnyOrder("a", "b");
      assertThat(editor.reason(prompt)).isEqualTo("end_turn");
    }
    assertThat(Coder.effects(folder)).startsWith("two in");
    assertThat(Coder.effects(folder)).hasLineCount(1);
  }

  @Test
  void a_question_of_an_agent_that_was_called_reaches_the_editor() throws Exception {
    var inner = new Coder(folder).builder().build();
    var model =
        ScriptedModel.by(request ->
            request.messages().getLast() instanceof ToolMessage result
                ? ScriptedModel.text("The coder: " + result.text())
                : ScriptedModel.calls(
                    new ToolCall(
                        "c1",
                        "coder",
                        "{\"task\":\"call deploy {\\\"place\\\":\\\"inner\\\"}\"}")));
    var outer = Agent.named("lead").model(model).agent(inner, "Codes.").build();
    try (var piped = Piped.to(AcpAgent.of(outer, store))) {
      var editor = piped.editor().greet(false);
      var prompt = editor.begin(editor.open(folder), "go");
      var asked = editor.request();
      var id = asked.path("params").path("toolCall").path("toolCallId").asString();
      assertThat(id).endsWith("/c1");
      editor.choose(asked, "approve");
      assertThat(editor.reason(prompt)).isEqualTo("end_turn");
      assertThat(editor.said()).isEqualTo("The coder: It says: deployed to inner");
      assertThat(editor.statuses())
          .contains("c1 pending", id + " pending", id + " completed", "c1 completed");
    }
    assertThat(Coder.effects(folder)).hasLineCount(1);
  }

  @Test
  void changes_of_files_are_submitted_as_one_difference() throws Exception {
    var changes = CollectedChanges.of(FileTree.of(Workspace.at(folder)));
    var agent =
        Agent.named("coder")
            .model(ScriptedModel.by(Coder::reply))
            .tools(FileTools.of(changes))
            .build();
    try (var piped = Piped.to(AcpAgent.of(agent, store))) {
      var editor = piped.editor().greet(false);
      var session = editor.open(folder);
      editor.prompt(session, AcpAgentTest.call("write_file", "'path':'n.txt','text':'new'"));
      assertThat(folder.resolve("n.txt")).doesNotExist();
      var prompt = editor.begin(session, AcpAgentTest.call("submit_changes", ""));
      var asked = editor.request();
      var content = asked.path("params").path("toolCall").path("content").toString();
      assertThat(content).contains("```diff", "+new");
      editor.choose(asked, "allow");
      assertThat(editor.reason(prompt)).isEqualTo("end_turn");
      assertThat(folder.resolve("n.txt")).hasContent("new");
    }
  }

  @Test
  void a_cancelled_graph_takes_another_prompt() throws Exception {
    var messages = Messages.channel("talk");
    var graph =
        Graph.named("outer")
            .channels(messages)
            .node("coder", new Coder(folder).builder().build().on(messages))
            .edge(Graph.START, "coder")
            .edge("coder", Graph.END)
            .compile();
    try (var piped = Piped.to(AcpAgent.of(graph, store))) {
      var editor = piped.editor().greet(false);
      var session = editor.open(folder);
      var prompt = editor.begin(session, DEPLOY);
      var _ = editor.request();
      editor.cancel(session);
      assertThat(editor.reason(prompt)).isEqualTo("cancelled");
      assertThat(editor.prompt(session, "hello")).isEqualTo("end_turn");
      assertThat(editor.said()).isEqualTo("You said: hello");
    }
    assertThat(Coder.effects(folder)).isEmpty();
  }
}
