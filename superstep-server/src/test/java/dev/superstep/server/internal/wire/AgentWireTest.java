package dev.superstep.server.internal.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.agent.Agent;
import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.language.Source;
import dev.superstep.language.check.CheckPolicy;
import dev.superstep.message.ToolCall;
import dev.superstep.model.ScriptedModel;
import dev.superstep.rag.Rag;
import dev.superstep.registry.Component;
import dev.superstep.registry.Kind;
import dev.superstep.registry.Registry;
import dev.superstep.server.internal.http.HttpFailure;
import dev.superstep.server.internal.wire.stream.StreamMode;
import dev.superstep.tool.SideEffect;
import dev.superstep.tool.Tool;
import dev.superstep.tool.ToolGate;
import dev.superstep.tool.ToolPolicy;
import java.time.InstantSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/// Agents as LangGraph's clients see them.
class AgentWireTest {
  record Parcel(String number) {}

  private static final Tool TRACK =
      Tool.of("track", "Finds a parcel", Parcel.class, (p, _) -> "here " + p.number())
          .withPolicy(ToolPolicy.of(SideEffect.PAYMENT));

  private static WireThread thread() {
    var model =
        ScriptedModel.replying(
            ScriptedModel.calls(new ToolCall("c1", "track", "{\"number\":\"7\"}")),
            ScriptedModel.text("It is here."));
    var agent =
        Agent.named("support")
            .model(model)
            .tools(TRACK)
            .gate(ToolGate.open().confirming(SideEffect.PAYMENT))
            .build();
    return new WireThread(agent.graph(), new InMemoryCheckpointer(InstantSource.system(), true));
  }

  @Test
  void clients_see_the_conversation_and_nothing_of_the_machinery() {
    var thread = thread();
    thread.input("{'messages':'Where?'}", StreamMode.VALUES);
    assertThat(thread.state(false).path("values").propertyNames()).containsExactly("messages");
    assertThat(thread.protocol()).doesNotContain("agent-");
    assertThatThrownBy(() -> thread.wire.input(WireThread.json("{'agent-approved':[]}")))
        .isInstanceOf(HttpFailure.class)
        .hasMessageContaining("known are [messages]");
  }

  @Test
  void clients_see_nothing_of_what_a_text_with_limits_counts() {
    var text =
        """
        graph desk {
          input { question text }
          output { reply text }
          channel reply overwrite
          limits { model_calls: 3 }
          start answer
          node answer {
            model "small"
            prompt "{question}"
            into reply
            next END
          }
        }
        """;
    var model = ScriptedModel.replying(ScriptedModel.text("Yes."));
    var registry = Registry.named("desk").register(Component.of(Kind.MODEL, "small", model));
    var source = Source.of("desk.rag", text);
    var desk = Rag.compile(source, registry, CheckPolicy.file("desk.rag")).graph();
    var store = new InMemoryCheckpointer(InstantSource.system(), true);
    var thread = new WireThread(desk.graph(), store);
    assertThat(desk.graph().parts().channels()).anyMatch(it -> it.name().equals("rag-spend"));
    thread.input("{'question':'Open?'}", StreamMode.VALUES, StreamMode.UPDATES);
    thread.state(false);
    assertThat(thread.protocol()).contains("Yes.").doesNotContain("rag-");
    assertThat(thread.wire.schemas().toString()).contains("reply").doesNotContain("rag-");
  }

  @Test
  @Tag("H4.8")
  void reviews_are_asked_and_answered_in_the_form_of_inboxes() {
    var thread = thread();
    thread.input("{'messages':'Where?'}", StreamMode.VALUES);
    var question = thread.state(false).path("interrupts").path(0).path("value");
    assertThat(question.propertyNames()).containsExactly("action_requests", "review_configs");
    assertThat(question.path("action_requests").path(0).path("name").asString()).isEqualTo("track");
    assertThat(question.path("action_requests").path(0).path("args").toString())
        .isEqualTo("{\"number\":\"7\"}");
    for (var wrong : new String[] {"'yes'", "{'decisions':[]}", "{'decisions':[{'type':'no'}]}"}) {
      assertThatThrownBy(() -> thread.resume(wrong, StreamMode.VALUES))
          .isInstanceOf(HttpFailure.class)
          .hasMessageContaining("command.resume");
    }
    var edit =
        "{'decisions':[{'type':'edit','args':null,"
            + "'edited_action':{'name':'track','args':{'number':'8'},'extra':1}}]}";
    thread.resume(edit, StreamMode.VALUES, StreamMode.TOOLS);
    assertThat(thread.protocol())
        .contains("\"on_tool_start\"", "\"on_tool_end\"", "here 8")
        .doesNotContain("here 7");
    assertThat(thread.state(false).path("values").path("messages")).hasSize(4);
  }

  @Test
  @Tag("H4.4")
  void pieces_of_a_message_have_the_id_of_the_whole() {
    var thread = thread();
    thread.input("{'messages':'Where?'}", StreamMode.MESSAGES_TUPLE, StreamMode.MESSAGES);
    thread.resume(
        "{'decisions':[{'type':'approve'}]}", StreamMode.MESSAGES_TUPLE, StreamMode.MESSAGES);
    var last = thread.state(false).path("values").path("messages").path(3);
    assertThat(last.path("content").asString()).isEqualTo("It is here.");
    var id = last.path("id").asString();
    assertThat(thread.seen("messages"))
        .anyMatch(frame ->
            frame.path(0).path("type").asString().equals("AIMessageChunk")
                && frame.path(0).path("id").asString().equals(id)
                && frame.path(1).path("langgraph_node").asString().equals("model"));
    assertThat(thread.seen("messages/complete")).anyMatch(frame -> frame.path(0).equals(last));
  }

  @Test
  @Tag("H4.4")
  void calls_of_models_and_tools_are_events_inside_of_their_nodes() {
    var thread = thread();
    thread.input("{'messages':'Where?'}", StreamMode.EVENTS);
    thread.resume("{'decisions':[{'type':'approve'}]}", StreamMode.EVENTS);
    var all = thread.seen("events");
    var told = all.stream().map(AgentWireTest::told).toList();
    assertThat(told)
        .containsSubsequence(
            "on_chain_start support",
            "on_chain_start model",
            "on_chat_model_start scripted://test",
            "on_chat_model_end scripted://test",
            "on_chain_end model",
            "on_tool_start track",
            "on_tool_end track",
            "on_chat_model_stream scripted://test",
            "on_chat_model_end scripted://test",
            "on_chain_end support");
    var tool = all.stream().filter(e -> told(e).equals("on_tool_start track")).findFirst();
    assertThat(tool.orElseThrow().path("data").path("input").toString())
        .isEqualTo("{\"number\":\"7\"}");
    assertThat(tool.get().path("parent_ids")).hasSizeGreaterThanOrEqualTo(2);
    var last = all.stream().filter(e -> told(e).startsWith("on_chat_model_end")).toList().getLast();
    assertThat(last.path("data").path("output").path("content").asString())
        .isEqualTo("It is here.");
    assertThat(last.path("data").path("usage_metadata").path("total_tokens").isNumber()).isTrue();
  }

  private static String told(JsonNode event) {
    return event.path("event").asString() + " " + event.path("name").asString();
  }
}
