package dev.superstep.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.agent.internal.state.ToolCallIds;
import dev.superstep.message.AssistantMessage;
import dev.superstep.message.Message;
import dev.superstep.message.ToolCall;
import dev.superstep.message.ToolMessage;
import dev.superstep.model.ChatRequest;
import dev.superstep.model.ScriptedModel;
import dev.superstep.tool.Tool;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("W33")
class CallIdsTest {
  record City(String name) {}

  private static final Tool LOOK =
      Tool.of("look", "Looks.", City.class, (city, _) -> "sun in " + city.name());

  private static ToolCall look(String id, String city) {
    return new ToolCall(id, "look", "{\"name\":\"" + city + "\"}");
  }

  @Test
  void calls_with_the_same_id_or_without_one_get_their_own_results() throws Exception {
    var model =
        ScriptedModel.replying(
            ScriptedModel.calls(look("c", "Oslo"), look("c", "Rome"), look("", "Bern")),
            ScriptedModel.calls(look("", "Paris")),
            ScriptedModel.text("Sun."));
    Agent.named("a").model(model).tools(LOOK).build().run("Weather?");
    var asked = model.requests().getLast();
    assertThat(ids(asked)).containsExactly("c", "c-2", "call", "call-2");
    assertThat(asked.messages().stream().filter(ToolMessage.class::isInstance).map(Message::text))
        .containsExactly("sun in Oslo", "sun in Rome", "sun in Bern", "sun in Paris");
  }

  @Test
  void a_generated_id_differs_from_those_of_the_model() {
    var reply =
        new AssistantMessage("", "", List.of(look("c", "a"), look("c", "b"), look("c-2", "d")));
    assertThat(ToolCallIds.unique(reply, List.of()).calls())
        .extracting(ToolCall::id)
        .containsExactly("c", "c-3", "c-2");
  }

  private static List<String> ids(ChatRequest request) {
    return request.messages().stream()
        .filter(AssistantMessage.class::isInstance)
        .flatMap(m -> ((AssistantMessage) m).calls().stream())
        .map(ToolCall::id)
        .toList();
  }
}
