package dev.superstep.tool.search;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.agent.Agent;
import dev.superstep.agent.run.AgentEvent;
import dev.superstep.graph.RunOptions;
import dev.superstep.json.Json;
import dev.superstep.message.ToolCall;
import dev.superstep.middleware.AgentContext;
import dev.superstep.middleware.Middleware;
import dev.superstep.model.ChatModel;
import dev.superstep.model.ChatModel.ToolCallPiece;
import dev.superstep.model.ChatReply;
import dev.superstep.model.ChatRequest;
import dev.superstep.model.ModelRef;
import dev.superstep.model.ScriptedModel;
import dev.superstep.tool.Tool;
import dev.superstep.tool.Tools;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class DispatchedDeltasTest {
  private static final String BILL = "{\"customer\":\"A\\\"d}a\",\"lines\":[{\"cents\":9}]}";

  record Bill(String customer) {}

  private final List<ToolCallPiece> heard = new ArrayList<>();
  private final DispatchedDeltas deltas =
      new DispatchedDeltas(listener(heard), Set.of("bill")::contains);

  private static ChatModel.DeltaListener listener(List<ToolCallPiece> pieces) {
    return new ChatModel.DeltaListener() {
      @Override
      public void onText(String text) {}

      @Override
      public void onToolCall(ToolCallPiece piece) {
        pieces.add(piece);
      }
    };
  }

  private void stream(String arguments, int size) {
    deltas.onToolCall(new ToolCallPiece(0, "c1", "call_tool", ""));
    for (int i = 0; i < arguments.length(); i += size) {
      var piece = arguments.substring(i, Math.min(arguments.length(), i + size));
      deltas.onToolCall(new ToolCallPiece(0, "", "", piece));
    }
  }

  private String name() {
    return String.join("", heard.stream().map(ToolCallPiece::tool).toList());
  }

  private String arguments() {
    return String.join("", heard.stream().map(ToolCallPiece::arguments).toList());
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 7, 1_000})
  void pieces_of_a_dispatch_are_pieces_of_the_tool_that_it_names(int size) {
    stream("{\"name\": \"bill\", \"arguments\": " + BILL + " }", size);
    assertThat(name()).isEqualTo("bill");
    assertThat(arguments()).isEqualTo(BILL);
    assertThat(heard.getFirst()).extracting(ToolCallPiece::id).isEqualTo("c1");
    assertThat(heard).noneMatch(piece -> piece.arguments().isEmpty());
  }

  @Test
  void arguments_are_passed_on_while_they_arrive() {
    stream("{\"name\":\"bill\",\"arguments\":{\"customer\":\"Ad", 5);
    assertThat(name()).isEqualTo("bill");
    assertThat(arguments()).isEqualTo("{\"customer\":\"Ad");
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 4, 1_000})
  void arguments_before_the_name_wait_for_it(int size) {
    stream("{\"arguments\":" + BILL + ",\"name\":\"bill\"}", size);
    assertThat(name()).isEqualTo("bill");
    assertThat(arguments()).isEqualTo(BILL);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 1_000})
  void arguments_as_a_text_are_passed_on_as_the_object_in_it(int size) {
    stream("{\"name\":\"bill\",\"arguments\":" + Json.string(BILL).text() + "}", size);
    assertThat(name()).isEqualTo("bill");
    assertThat(arguments()).isEqualTo(BILL);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "{\"name\":\"unknown\",\"arguments\":{\"a\":1}}",
        "{\"arguments\":{\"a\":1},\"name\":\"unknown\"}",
        "{\"arguments\":{\"a\":1}}",
        "create it",
        "]",
        "\"bill\""
      })
  void what_is_no_dispatch_of_a_found_tool_is_passed_on_as_it_is(String written) {
    stream(written, 3);
    assertThat(name()).isEqualTo("call_tool");
    assertThat(arguments()).isEqualTo(written);
  }

  @Test
  void calls_of_other_tools_are_passed_on_as_they_are() {
    var search = new ToolCallPiece(0, "c1", "search_tools", "{\"query\":\"bill\"}");
    deltas.onToolCall(search);
    deltas.onToolCall(new ToolCallPiece(1, "c2", "call_tool", "{\"name\":\"bill\","));
    deltas.onToolCall(new ToolCallPiece(1, "c2", "call_tool", "\"arguments\":{}}"));
    assertThat(heard).containsExactly(search, new ToolCallPiece(1, "c2", "bill", "{}"));
    assertThat(deltas).hasToString("DispatchedDeltas[1 calls]");
  }

  /// Replies letter by letter.
  private record SlowSpeller(ScriptedModel model) implements ChatModel {
    @Override
    public ModelRef ref() {
      return model.ref();
    }

    @Override
    public ChatReply call(ChatRequest request) throws InterruptedException {
      return model.call(request);
    }

    @Override
    public ChatReply stream(ChatRequest request, DeltaListener listener)
        throws InterruptedException {
      var reply = call(request);
      for (int i = 0; i < reply.message().calls().size(); i++) {
        var call = reply.message().calls().get(i);
        listener.onToolCall(new ToolCallPiece(i, call.id(), call.tool(), ""));
        for (var letter : call.arguments().split("")) {
          listener.onToolCall(new ToolCallPiece(i, "", "", letter));
        }
      }
      if (!reply.message().text().isEmpty()) listener.onText(reply.message().text());
      return reply;
    }
  }

  /// Hears the pieces, as a user's middleware does.
  private record Listening(List<ToolCallPiece> pieces) implements Middleware {
    @Override
    public boolean receivesDeltas() {
      return true;
    }

    @Override
    public ChatModel.DeltaListener onDelta(AgentContext context) {
      return listener(pieces);
    }
  }

  @Test
  void middleware_and_the_events_of_a_run_get_the_call_of_the_tool() throws Exception {
    var search = new ToolCall("c1", "search_tools", "{\"query\":\"bill a customer\"}");
    var call =
        new ToolCall("c2", "call_tool", "{\"name\":\"bill\",\"arguments\":{\"customer\":\"Ada\"}}");
    var model =
        ScriptedModel.replying(
            ScriptedModel.calls(search), ScriptedModel.calls(call), ScriptedModel.text("Done."));
    var bill = Tool.of("bill", "Bills a customer.", Bill.class, (b, _) -> "of " + b.customer());
    var shown = new StringBuilder();
    var options =
        RunOptions.defaults()
            .listener(
                AgentEvent.listener(event -> {
                  if (event instanceof AgentEvent.ModelDelta delta) shown.append(delta.text());
                }));
    var agent =
        Agent.named("desk")
            .model(new SlowSpeller(model))
            .middleware(ToolSearch.over(Tools.of(bill)), new Listening(heard))
            .build();
    assertThat(agent.run("Bill Ada", options).answer()).isEqualTo("Done.");
    assertThat(name()).isEqualTo("search_toolsbill");
    assertThat(shown).hasToString(search.arguments() + "{\"customer\":\"Ada\"}");
    // The vendor gets its own words back.
    assertThat(model.requests().getLast().messages().toString()).contains("call_tool");
  }
}
