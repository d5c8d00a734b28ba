package dev.superstep.acp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.agent.Agent;
import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.graph.RunOptions;
import dev.superstep.graph.Threads;
import dev.superstep.message.ToolCall;
import dev.superstep.message.ToolMessage;
import dev.superstep.model.ScriptedModel;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/// Sessions as they are listed, loaded, closed and deleted.
@Timeout(120)
final class SessionsTest {
  @TempDir Path folder;
  private final InMemoryCheckpointer store = new InMemoryCheckpointer();

  private AcpAgent agent() {
    return AcpAgent.of(new Coder(folder).builder().build(), store);
  }

  private static String of(String session) {
    return "{\"sessionId\":\"" + session + "\"}";
  }

  private static int code(JsonNode reply) {
    return reply.path("error").path("code").asInt(0);
  }

  @Test
  void are_listed_by_pages_with_their_titles_and_folders() throws Exception {
    var other = Files.createDirectory(folder.resolve("other"));
    try (var piped = Piped.to(agent().within(AcpLimits.standard().withSessions(10, 2)))) {
      var editor = piped.editor().greet(false);
      for (var place : new Path[] {folder, other, folder}) {
        editor.prompt(editor.open(place), "in " + place.getFileName());
      }
      editor.open(folder); // Nothing was said in it, so nothing is stored.
      var first = editor.ask("session/list", "{}").path("result");
      assertThat(first.path("sessions")).hasSize(2);
      assertThat(first.path("sessions").path(1).path("title").asString()).isEqualTo("in other");
      assertThat(first.path("sessions").path(1).path("cwd").asString()).isEqualTo(other.toString());
      var next = "{\"cursor\":\"" + first.path("nextCursor").asString() + "\"}";
      assertThat(editor.ask("session/list", next).path("result").path("sessions")).hasSize(1);
      var here = editor.ask("session/list", "{\"cwd\":\"" + other + "\"}").path("result");
      assertThat(here.path("sessions")).hasSize(1);
    }
  }

  @Test
  void those_of_another_agent_in_the_store_are_not_there() throws Exception {
    var stranger = Agent.named("stranger").model(ScriptedModel.saying("hi", "ho")).build();
    String session;
    try (var piped = Piped.to(AcpAgent.of(stranger, store))) {
      var editor = piped.editor().greet(false);
      session = editor.open(folder);
      editor.prompt(session, "hello");
    }
    stranger.run("hello", RunOptions.thread("plain").checkpoints(store));
    try (var piped = Piped.to(agent())) {
      var editor = piped.editor().greet(false);
      assertThat(editor.ask("session/list", "{}").path("result").path("sessions")).isEmpty();
      for (var id : new String[] {session, "plain", "acp-" + "0".repeat(32), ""}) {
        assertThat(code(editor.load(id, folder))).as(id).isEqualTo(-32002);
        assertThat(code(editor.ask("session/delete", of(id)))).as(id).isEqualTo(-32002);
      }
    }
  }

  @Test
  void are_loaded_only_in_their_folder() throws Exception {
    var other = Files.createDirectory(folder.resolve("other"));
    try (var piped = Piped.to(agent())) {
      var editor = piped.editor().greet(false);
      var session = editor.open(folder);
      editor.prompt(session, "hello");
      var refused = editor.load(session, other);
      assertThat(code(refused)).isEqualTo(-32602);
      assertThat(refused.path("error").path("message").asString())
          .contains("belongs to the folder " + folder);
    }
  }

  @Test
  void a_replay_tells_calls_under_the_ids_that_they_had() throws Exception {
    try (var piped = Piped.to(agent())) {
      var editor = piped.editor().greet(false);
      var session = editor.open(folder);
      editor.prompt(session, AcpAgentTest.call("glob", "'pattern':'*'"));
      editor.prompt(session, AcpAgentTest.call("glob", "'pattern':'a*'"));
      var before = editor.updates("tool_call").stream().map(JsonNode::toString).toList();
      editor.forget();
      editor.load(session, folder);
      assertThat(editor.updates("tool_call").stream().map(JsonNode::toString).toList())
          .isEqualTo(before);
      assertThat(editor.statuses())
          .containsExactly("c1 pending", "c1 completed", "c1-2 pending", "c1-2 completed");
    }
  }

  @Test
  void closing_cancels_the_turn() throws Exception {
    var coder = new Coder(folder);
    try (var piped = Piped.to(AcpAgent.of(coder.builder().build(), store))) {
      var editor = piped.editor().greet(false);
      var session = editor.open(folder);
      var prompt = editor.begin(session, AcpAgentTest.call("wait", ""));
      coder.began.await();
      assertThat(editor.ask("session/close", of(session)).has("result")).isTrue();
      assertThat(editor.reason(prompt)).isEqualTo("cancelled");
      assertThat(editor.prompt(session, "hello")).contains("-32002");
      assertThat(editor.load(session, folder).has("result")).isTrue();
      assertThat(editor.prompt(session, "hello")).isEqualTo("end_turn");
    }
  }

  @Test
  void deleting_removes_the_thread() throws Exception {
    try (var piped = Piped.to(agent())) {
      var editor = piped.editor().greet(false);
      var session = editor.open(folder);
      editor.prompt(session, "hello");
      assertThat(Threads.in(store).find(session)).isPresent();
      assertThat(editor.ask("session/delete", of(session)).has("result")).isTrue();
      assertThat(Threads.in(store).find(session)).isEmpty();
      assertThat(code(editor.load(session, folder))).isEqualTo(-32002);
    }
  }

  @Test
  void a_second_prompt_is_refused_while_one_is_at_work() throws Exception {
    try (var piped = Piped.to(agent())) {
      var editor = piped.editor().greet(false);
      var session = editor.open(folder);
      var prompt = editor.begin(session, AcpAgentTest.call("deploy", "'place':'x'"));
      var asked = editor.request();
      assertThat(editor.prompt(session, "more")).contains("-32600", "at work");
      assertThat(code(editor.load(session, folder))).isEqualTo(-32600);
      editor.choose(asked, "approve");
      assertThat(editor.reason(prompt)).isEqualTo("end_turn");
    }
  }

  @Test
  void two_sessions_work_beside_each_other() throws Exception {
    try (var piped = Piped.to(agent())) {
      var editor = piped.editor().greet(false);
      var one = editor.begin(editor.open(folder), AcpAgentTest.call("deploy", "'place':'x'"));
      var asked = editor.request();
      assertThat(editor.prompt(editor.open(folder), "hello")).isEqualTo("end_turn");
      editor.choose(asked, "approve");
      assertThat(editor.reason(one)).isEqualTo("end_turn");
    }
  }

  @Test
  void the_servers_of_the_editor_are_not_started_and_the_person_is_told() throws Exception {
    try (var piped = Piped.to(agent())) {
      var editor = piped.editor().greet(false);
      var marker = folder.resolve("started");
      var params =
          "{\"cwd\":\"%s\",\"mcpServers\":[{\"name\":\"notes\",\"command\":\"touch\",\"args\":"
              + "[\"%s\"],\"env\":[]}]}";
      var opened = editor.ask("session/new", params.formatted(folder, marker));
      var session = opened.path("result").path("sessionId").asString();
      editor.prompt(session, "hello");
      assertThat(editor.said()).contains("not started here: notes").endsWith("You said: hello");
      editor.forget();
      editor.prompt(session, "hello");
      assertThat(editor.said()).isEqualTo("You said: hello");
      assertThat(marker).doesNotExist();
    }
  }

  @Test
  void a_question_of_an_agent_that_was_called_is_asked_again_by_another_server() throws Exception {
    var inner = new Coder(folder).builder().build();
    var delegated =
        new ToolCall("c1", "coder", "{\"task\":\"call deploy {\\\"place\\\":\\\"inner\\\"}\"}");
    var model =
        ScriptedModel.by(request -> {
          var last = request.messages().getLast();
          if (last instanceof ToolMessage) return ScriptedModel.text("The coder: " + last.text());
          return last.text().equals("go")
              ? ScriptedModel.calls(delegated)
              : ScriptedModel.text("Well.");
        });
    var lead = AcpAgent.of(Agent.named("lead").model(model).agent(inner, "Codes.").build(), store);
    String session;
    String call;
    try (var piped = Piped.to(lead)) {
      var editor = piped.editor().greet(false);
      session = editor.open(folder);
      editor.begin(session, "go");
      call = editor.request().path("params").path("toolCall").path("toolCallId").asString();
    }
    try (var piped = Piped.to(lead)) {
      var editor = piped.editor().greet(false);
      editor.load(session, folder);
      var asked = editor.request();
      assertThat(asked.path("params").path("toolCall").path("toolCallId").asString())
          .isEqualTo(call);
      editor.choose(asked, "approve");
      assertThat(editor.prompt(session, "more")).isEqualTo("end_turn");
      assertThat(editor.said()).startsWith("The coder: It says: deployed to inner");
      assertThat(editor.statuses()).contains(call + " completed", "c1 completed");
    }
    assertThat(Coder.effects(folder)).hasLineCount(1);
  }

  @Test
  void a_question_for_words_is_said_again_when_the_session_is_loaded() throws Exception {
    String session;
    try (var piped = Piped.to(agent())) {
      var editor = piped.editor().greet(false);
      session = editor.open(folder);
      editor.prompt(session, AcpAgentTest.call("name", ""));
    }
    try (var piped = Piped.to(agent())) {
      var editor = piped.editor().greet(false);
      editor.load(session, folder);
      assertThat(editor.prompt(session, "Ada")).isEqualTo("end_turn");
      assertThat(editor.said()).isEqualTo("\n\nWhich name?It says: Ada");
    }
  }

  @Test
  void two_editors_that_both_approve_a_call_have_it_made_once() throws Exception {
    try (var one = Piped.to(agent());
        var other = Piped.to(agent())) {
      var first = one.editor().greet(false);
      var session = first.open(folder);
      var prompt = first.begin(session, AcpAgentTest.call("deploy", "'place':'x'"));
      var asked = first.request();
      var second = other.editor().greet(false);
      second.load(session, folder);
      second.choose(second.request(), "approve");
      assertThat(second.prompt(session, "hello")).isEqualTo("end_turn");
      first.choose(asked, "approve");
      var late = first.reply(prompt);
      assertThat(late.path("result").path("stopReason").asString("") + code(late))
          .isIn("end_turn0", "-32603");
    }
    assertThat(Coder.effects(folder)).hasLineCount(1);
  }

  @Test
  void a_prompt_that_comes_before_the_session_is_loaded_waits_for_it() throws Exception {
    String session;
    try (var piped = Piped.to(agent())) {
      var editor = piped.editor().greet(false);
      session = editor.open(folder);
      editor.prompt(session, "hello");
    }
    try (var piped = Piped.to(agent())) {
      var editor = piped.editor().greet(false);
      var params = "{\"sessionId\":\"%s\",\"cwd\":\"%s\",\"mcpServers\":[]}";
      var load = editor.send("session/load", params.formatted(session, folder));
      var prompt = editor.begin(session, "again");
      assertThat(editor.reply(load).has("result")).isTrue();
      assertThat(editor.reason(prompt)).isEqualTo("end_turn");
      assertThat(editor.said()).isEqualTo("You said: helloYou said: again");
    }
  }
}
