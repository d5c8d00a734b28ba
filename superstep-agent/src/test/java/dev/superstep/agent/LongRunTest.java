package dev.superstep.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.agent.run.AgentEvent;
import dev.superstep.graph.RunOptions;
import dev.superstep.message.Message;
import dev.superstep.message.ToolCall;
import dev.superstep.message.ToolMessage;
import dev.superstep.model.ChatRequest;
import dev.superstep.model.PromptLayout;
import dev.superstep.model.ScriptedModel;
import dev.superstep.tool.Tool;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class LongRunTest {
  private static final int TURNS = 500;

  record Number(int n) {}

  @Tag("T21")
  @Test
  void the_prefix_of_five_hundred_turns_is_the_same_byte_for_byte() throws InterruptedException {
    var model =
        ScriptedModel.by(request -> {
          int done = (request.messages().size() - 2) / 2;
          return done < TURNS
              ? ScriptedModel.calls(new ToolCall("c" + done, "twice", "{\"n\":" + done + "}"))
              : ScriptedModel.text("Done.");
        });
    var twice = Tool.of("twice", "Doubles.", Number.class, (n, _) -> "" + 2 * n.n());
    var agent =
        Agent.named("long")
            .model(model)
            .instructions("Double everything.")
            .tools(twice)
            .modelCalls(TURNS + 1)
            .toolCalls(TURNS)
            .build();
    var changes = new ArrayList<AgentEvent>();
    var options =
        RunOptions.defaults()
            .listener(
                AgentEvent.listener(event -> {
                  if (event instanceof AgentEvent.CacheLayoutChanged) changes.add(event);
                }));
    var result = agent.run("Go.", options);
    assertThat(result.answer()).isEqualTo("Done.");
    assertThat(result.report().conversation())
        .filteredOn(ToolMessage.class::isInstance)
        .extracting(Message::text)
        .startsWith("0", "2", "4")
        .hasSize(TURNS);
    var prefixes = new HashSet<String>();
    List<ChatRequest> requests = model.requests();
    for (var request : requests) {
      assertThat(request.prefix()).isEqualTo(1);
      prefixes.add(PromptLayout.prefixOf(request));
    }
    assertThat(requests).hasSize(TURNS + 1);
    assertThat(prefixes).hasSize(1);
    assertThat(changes).isEmpty();
  }
}
