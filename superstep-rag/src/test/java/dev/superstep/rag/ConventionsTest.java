package dev.superstep.rag;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.agent.Agent;
import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.graph.RunOptions;
import dev.superstep.json.Codec;
import dev.superstep.json.Json;
import dev.superstep.message.AssistantMessage;
import dev.superstep.message.Content;
import dev.superstep.message.ToolCall;
import dev.superstep.model.ChatReply;
import dev.superstep.model.ScriptedModel;
import dev.superstep.model.Usage;
import dev.superstep.rag.component.TypedReducer;
import dev.superstep.registry.Component;
import dev.superstep.registry.Kind;
import dev.superstep.run.Answers;
import dev.superstep.run.Outcome;
import dev.superstep.state.State;
import dev.superstep.tool.Tool;
import dev.superstep.tool.ToolResult;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Channels of conventional names: nodes write them without further items.
@Tag("R13")
class ConventionsTest {
  private final Bench bench = new Bench().steps("a");

  record Verdict(String route, int score) {}

  record City(String name) {}

  record Drawing(String of) {}

  ConventionsTest() {
    bench.type("verdict", Verdict.class);
    bench.registry.register(
        Component.of(
            Kind.TOOL,
            "draw",
            Tool.of(
                "draw",
                "Draws.",
                City.class,
                (city, _) ->
                    ToolResult.of("drawn").withArtifact(Json.of(new Drawing(city.name()))))));
    bench.registry.register(
        Component.of(Kind.TOOL, "plain", Tool.of("plain", "Says.", City.class, (_, _) -> "no")));
  }

  private static ToolCall draw(String id, String city) {
    return new ToolCall(id, "draw", "{\"name\":\"" + city + "\"}");
  }

  private static ChatReply reply(String text, long input, long output) {
    return ScriptedModel.reply(
        new AssistantMessage("", List.of(new Content.Text(text)), List.of()),
        new Usage(input, 0, output, 0),
        ChatReply.Finish.STOP);
  }

  private Json channel(String text, String channel) throws Exception {
    return channel(text, channel, Map.of());
  }

  private Json channel(String text, String channel, Map<String, ?> input) throws Exception {
    var graph = bench.graph(text);
    return field(graph, Bench.run(graph, input, RunOptions.defaults()), channel);
  }

  private static Json field(RagGraph graph, State end, String channel) {
    return Codec.mapOf(Json.class).decode(graph.export(end)).getOrDefault(channel, Json.ofNull());
  }

  // structured_response

  @Test
  void a_typed_answer_is_written_beside_where_it_goes_to() throws Exception {
    bench.saying("m", "{\"route\":\"x\",\"score\":3}", "7");
    var text =
        """
        graph g {
          channel trace append of text
          channel structured_response append
          channel out overwrite of verdict
          start a
          node a { model "m" prompt "?" answer verdict into out next b }
          node b { model "m" prompt "?" answer int next c }
          node c { kind function function "a" }
        }
        """;
    var graph = bench.graph(text);
    var end = Bench.run(graph, Map.of(), RunOptions.defaults());
    assertThat(field(graph, end, "structured_response"))
        .isEqualTo(Json.parse("[{\"route\":\"x\",\"score\":3},7]"));
    assertThat(graph.value(end, "out")).contains(new Verdict("x", 3));
  }

  @Test
  void the_typed_answer_of_an_agent_is_written_and_plain_text_is_not() throws Exception {
    bench.saying("m", "{\"route\":\"x\",\"score\":3}");
    var text =
        """
        graph g {
          channel structured_response overwrite of %s
          start a
          node a { kind agent model "m" prompt "?" answer %s }
        }
        """;
    assertThat(channel(text.formatted("verdict", "verdict"), "structured_response"))
        .isEqualTo(Json.parse("{\"route\":\"x\",\"score\":3}"));
    bench.registry.replace(Component.of(Kind.MODEL, "m", ScriptedModel.saying("hello")));
    assertThat(channel(text.formatted("text", "text"), "structured_response"))
        .isEqualTo(Json.ofNull());
  }

  @Test
  void a_channel_of_another_type_is_warned_of_and_left_alone() throws Exception {
    bench.saying("m", "{\"route\":\"x\",\"score\":3}");
    var text =
        """
        graph g {
          channel structured_response overwrite of int
          start a
          node a { model "m" prompt "?" answer verdict }
        }
        """;
    assertThat(bench.program(text).text()).contains("E-rag-conventional-channel");
    assertThat(channel(text, "structured_response")).isEqualTo(Json.ofNull());
  }

  // usage

  private static final String TWO_MODELS =
      """
      graph g {
        channel usage %s
        start [a, b]
        node a { model "m" prompt "?" }
        node b { kind agent model "m" prompt "?" }
      }
      """;

  @Test
  void what_models_took_is_listed_by_node_or_summed() throws Exception {
    bench.model("m", ScriptedModel.by(_ -> reply("ok", 10, 3)));
    assertThat(channel(TWO_MODELS.formatted("append"), "usage"))
        .isEqualTo(
            Json.parse(
                """
                [{"node":"a","calls":1,"input":10,"output":3},
                 {"node":"b","calls":1,"input":10,"output":3}]
                """));
    assertThat(channel(TWO_MODELS.formatted("sum"), "usage")).isEqualTo(Json.parse("26"));
  }

  @Test
  void a_registered_reducer_adds_up_what_models_took() throws Exception {
    bench.model("m", ScriptedModel.by(_ -> reply("ok", 10, 3)));
    bench.registry.register(
        Component.of(
            Kind.REDUCER,
            "calls",
            TypedReducer.of(
                Long.class,
                Json.class,
                0L,
                (sum, one) ->
                    sum + Codec.mapOf(Json.class).decode(one).get("calls").as(Long.class))));
    assertThat(channel(TWO_MODELS.formatted("aggregate \"calls\""), "usage"))
        .isEqualTo(Json.parse("2"));
  }

  // artifacts

  @Test
  void what_tools_made_for_the_program_is_written_once() throws Exception {
    bench.replying(
        "m",
        ScriptedModel.calls(draw("1", "Oslo"), new ToolCall("2", "plain", "{\"name\":\"x\"}")),
        ScriptedModel.calls(draw("3", "Rome")),
        ScriptedModel.text("done"));
    var text =
        """
        graph g {
          channel messages messages
          channel artifacts append
          start m
          node m { model "m" prompt "Draw." next run }
          node run { kind tool_executor tools ["draw", "plain"] next work }
          node work { kind agent model "m" tools ["draw"] }
        }
        """;
    assertThat(channel(text, "artifacts"))
        .isEqualTo(
            Json.parse(
                """
                [{"node":"run","tool":"draw","call":"1","artifact":{"of":"Oslo"}},
                 {"node":"work","tool":"draw","call":"3","artifact":{"of":"Rome"}}]
                """));
  }

  @Test
  void the_tools_of_a_subagent_make_artifacts_too_and_one_value_is_their_list() throws Exception {
    var model =
        ScriptedModel.replying(
            ScriptedModel.calls(draw("1", "Oslo"), draw("2", "Rome")), ScriptedModel.text("done"));
    bench.registry.register(
        Component.of(
            Kind.AGENT,
            "painter",
            Agent.named("painter")
                .model(model)
                .tools(bench.registry.get(Kind.TOOL, "draw"))
                .build()));
    bench.mapping("task", _ -> "Paint.");
    var text =
        """
        graph g {
          channel artifacts overwrite
          start a
          node a { kind subagent agent "painter" input "task" }
        }
        """;
    assertThat(channel(text, "artifacts"))
        .isEqualTo(
            Json.parse(
                """
                [{"node":"a","tool":"draw","call":"1","artifact":{"of":"Oslo"}},
                 {"node":"a","tool":"draw","call":"2","artifact":{"of":"Rome"}}]
                """));
  }

  // interrupts

  @Test
  void questions_and_their_answers_are_written() throws Exception {
    var text =
        """
        graph g {
          input { claim text }
          channel interrupts append
          start ask
          node ask { kind human prompt "Pay {claim}?" options ["yes", "no"] routes { yes -> END  no -> why } }
          node why { kind interrupt prompt "Why?" }
        }
        """;
    var graph = bench.graph(text);
    var options = RunOptions.thread("t").checkpoints(new InMemoryCheckpointer());
    var first = (Outcome.Interrupted) graph.run(graph.input(Map.of("claim", "7")), options);
    assertThat(field(graph, graph.graph().state(options).orElseThrow().state(), "interrupts"))
        .isEqualTo(Json.parse("[]"));
    var next =
        (Outcome.Interrupted)
            graph.resume(
                Answers.json(first.questions().getFirst().id(), Json.string("no")), options);
    var end =
        Bench.end(
            graph.resume(
                Answers.json(next.questions().getFirst().id(), Json.string("Late.")), options));
    assertThat(field(graph, end, "interrupts"))
        .isEqualTo(
            Json.parse(
                """
                [{"node":"ask","prompt":"Pay 7?","options":["yes","no"],"answer":"no"},
                 {"node":"why","prompt":"Why?","options":[],"answer":"Late."}]
                """));
  }

  // metadata

  @Test
  void nodes_read_what_is_known_of_their_run() throws Exception {
    var model = bench.saying("m", "ok", "ok");
    var text =
        """
        graph g {
          metadata { owner "ann" }
          channel metadata overwrite
          start a
          node a { model "m" prompt "{metadata}" }
        }
        """;
    var graph = bench.graph(text);
    var hash = graph.blueprint().hash();
    Bench.run(graph, Map.of(), RunOptions.defaults().metadata("tenant", "acme"));
    var known = "{\"graph\":\"g\",\"hash\":\"" + hash + "\",\"text\":{\"owner\":\"ann\"}";
    assertThat(model.requests().getLast().messages().getLast().text())
        .isEqualTo(known + ",\"run\":{\"tenant\":\"acme\"}}");
    Bench.end(graph.graph().invoke(graph.input(Map.of()), RunOptions.defaults()));
    assertThat(model.requests().getLast().messages().getLast().text()).isEqualTo(known + "}");
  }

  @Test
  void metadata_that_callers_give_is_left_as_it_is() throws Exception {
    var text =
        """
        graph g {
          input { metadata json }
          channel metadata overwrite
          channel trace append of text
          start a
          node a { kind function function "a" }
        }
        """;
    assertThat(channel(text, "metadata", Map.of("metadata", Json.parse("{\"x\":1}"))))
        .isEqualTo(Json.parse("{\"x\":1}"));
  }

  // candidates

  @Test
  void candidates_are_written_by_nodes_that_say_so_only() throws Exception {
    bench.saying("m", "one", "two");
    var text =
        """
        graph g {
          channel candidates append of text
          start [a, b]
          node a { model "m" prompt "?" %s }
          node b { model "m" prompt "?" }
        }
        """;
    assertThat(bench.program(text.formatted("")).text())
        .contains("no node writes `candidates`: a model gives one reply");
    var named = text.formatted("into candidates");
    assertThat(bench.program(named).text()).isEmpty();
    assertThat(Codec.listOf(String.class).decode(channel(named, "candidates"))).hasSize(1);
  }
}
