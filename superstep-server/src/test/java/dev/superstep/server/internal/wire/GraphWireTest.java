package dev.superstep.server.internal.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.graph.Graph;
import dev.superstep.node.Command;
import dev.superstep.node.NodeResult;
import dev.superstep.node.Target;
import dev.superstep.node.Update;
import dev.superstep.run.Input;
import dev.superstep.server.graph.ServedGraph;
import dev.superstep.server.internal.http.HttpFailure;
import dev.superstep.server.internal.wire.stream.StreamMode;
import dev.superstep.state.Channel;
import dev.superstep.state.Write;
import dev.superstep.testkit.Choices;
import dev.superstep.testkit.Golden;
import dev.superstep.testkit.Property;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.JsonNodeFactory;

/// What clients send to a graph, and its descriptions.
class GraphWireTest {
  private static final int CASES = Integer.getInteger("superstep.wire.cases", 300);
  private static final Golden GOLDEN = Golden.in("wire");

  record Place(String name, int floor) {
    Place {
      if (floor < 0) throw new IllegalArgumentException("floor must not be negative");
    }
  }

  private static final Channel<Place, Place> PLACE = Channel.latest("place", Place.class);
  private static final Channel<List<Place>, Place> SEEN = Channel.append("seen", Place.class);
  private static final Channel<Map<String, String>, Map<String, String>> TAGS =
      Channel.merge("tags", String.class);
  private static final Channel<Long, Long> COUNT = Channel.sum("count");
  private static final Target<Place> VISIT = Target.of("visit", Place.class);

  private static final Graph GRAPH =
      Graph.named("tour")
          .channels(WireGraphs.MESSAGES, PLACE, SEEN, TAGS, COUNT)
          .node("plan", (_, _) -> NodeResult.nothing())
          .node(VISIT, (place, _, _) -> Update.of(SEEN, place))
          .edge(Graph.START, "plan")
          .fanOut("plan", _ -> List.of(), VISIT)
          .edge("visit", Graph.END)
          .compile();
  private static final GraphWire WIRE = new GraphWire(ServedGraph.of(GRAPH));

  @Test
  @Tag("H4.3")
  void fields_of_the_input_are_channels() {
    var input =
        WIRE.input(
            WireThread.json(
                "{'seen':[{'name':'a','floor':1},{'name':'b','floor':2}],'tags':{'a':'b'},"
                    + "'count':3,'messages':'hi'}"));
    assertThat(input.writes())
        .containsExactlyElementsOf(
            Input.all(SEEN, List.of(new Place("a", 1), new Place("b", 2)))
                .and(TAGS, Map.of("a", "b"))
                .and(COUNT, 3L)
                .and(WireGraphs.MESSAGES, dev.superstep.message.Message.user("hi"))
                .writes());
    assertThat(WIRE.input(WireThread.json("null")).writes()).isEmpty();
  }

  @Test
  void messages_are_removed_by_their_ids() {
    var update =
        WIRE.update(
            WireThread.json(
                "{'messages':[{'type':'remove','id':'__remove_all__'},'new',"
                    + "{'type':'remove','id':'m1'}]}"));
    assertThat(update.writes())
        .hasSize(3)
        .first()
        .isEqualTo(new Write.Overwrite<>(WireGraphs.MESSAGES, List.of()));
    assertThat(update.writes().getLast()).isEqualTo(new Write.Remove(WireGraphs.MESSAGES, "m1"));
  }

  @Test
  @Tag("H4.3")
  void commands_go_to_nodes_and_send_them_inputs() {
    var goTo = WireThread.json("['plan',{'node':'visit','input':{'name':'a','floor':1}}]");
    var command = (Command) WIRE.command(goTo, WireThread.json("[['count',2]]"));
    assertThat(command.gotos()).containsExactly("plan");
    assertThat(command.sends()).singleElement().extracting("argument").isEqualTo(new Place("a", 1));
    assertThat(command.update()).isEqualTo(Update.of(COUNT, 2L));
    var end = (Command) WIRE.command(WireThread.json("'__end__'"), WireThread.json("null"));
    assertThat(end.gotos()).containsExactly(Graph.END);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "[] | input must be an object",
        "'text' | input must be an object",
        "{'unknown':1} | input has the unknown field `unknown`; known are",
        "{'__proto__':{}} | input has the unknown field",
        "{'place':{'name':'a'}} | place does not fit",
        "{'place':{'name':'a','floor':-1}} | floor must not be negative",
        "{'place':null} | place does not fit",
        "{'seen':[{'name':'a','floor':1},7]} | seen[1] does not fit",
        "{'count':1.5} | count does not fit",
        "{'count':99999999999999999999} | count does not fit",
        "{'count':1e999999999} | count",
        "{'messages':[{'type':'human','content':[{'type':'image'}]}]} | messages[0].content[0]"
      })
  void inputThatDoesNotFitIsRefusedWithItsField(String json, String message) {
    assertThatThrownBy(() -> WIRE.input(WireThread.json(json)))
        .isInstanceOf(HttpFailure.class)
        .hasMessageContaining(message);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "'nowhere' | unknown node `nowhere`; known are",
        "'visit' | must give node `visit` an input",
        "{'node':'plan','input':1} | runs on the state alone",
        "{'node':'visit','input':1} | command.goto.input does not fit",
        "{} | needs the string `node`",
        "7 | must be a node"
      })
  void commandThatDoesNotFitIsRefused(String to, String message) {
    assertThatThrownBy(() -> WIRE.command(WireThread.json(to), WireThread.json("null")))
        .isInstanceOf(HttpFailure.class)
        .hasMessageContaining(message);
  }

  @Test
  void whatever_json_comes_is_taken_or_refused_as_an_answer() throws Exception {
    Property.check(
        11,
        CASES,
        choices -> value(choices, 4),
        json -> {
          taken(() -> WIRE.input(json));
          taken(() -> WIRE.update(json));
          taken(() -> WIRE.command(json, json));
          taken(() -> CheckpointRef.read(json));
          taken(() -> StreamMode.read(json));
          taken(() -> RunMetadata.stored(json));
        });
  }

  @Test
  void deeply_nested_json_is_refused() {
    var at = JsonNodeFactory.instance.objectNode();
    JsonNode deep = at;
    for (int i = 0; i < 10_000; i++) at = at.putObject("kwargs");
    var all = JsonNodeFactory.instance.objectNode();
    all.set("tags", deep);
    assertThatThrownBy(() -> WIRE.input(all)).isInstanceOf(HttpFailure.class);
    all.removeAll();
    all.putArray("messages")
        .addObject()
        .put("type", "ai")
        .putArray("tool_calls")
        .addObject()
        .set("args", deep);
    assertThatThrownBy(() -> WIRE.input(all)).isInstanceOf(HttpFailure.class);
  }

  private static void taken(Runnable use) {
    try {
      use.run();
    } catch (HttpFailure e) {
      assertThat(e.status()).isEqualTo(422);
      assertThat(e.getMessage()).isNotBlank();
    }
  }

  private static JsonNode value(Choices choices, int depth) {
    var nodes = JsonNodeFactory.instance;
    return switch (choices.below(depth > 0 ? 7 : 5)) {
      case 0 -> nodes.nullNode();
      case 1 -> nodes.stringNode(choices.of("", "human", "plan", "visit", "\uD800", "__end__"));
      case 2 -> nodes.numberNode(choices.of(0.5, -1.0, 1e308));
      case 3 -> nodes.numberNode(new java.math.BigDecimal(choices.of("1E+99999", "1", "-0.0")));
      case 4 -> nodes.booleanNode(choices.chance(50));
      case 5 -> {
        var array = nodes.arrayNode();
        for (var one : choices.list(3, inner -> value(inner, depth - 1))) array.add(one);
        yield array;
      }
      default -> {
        var object = nodes.objectNode();
        var names = choices.list(5, GraphWireTest::name);
        for (var name : names) object.set(name, value(choices, depth - 1));
        yield object;
      }
    };
  }

  private static String name(Choices choices) {
    return choices.of(
        "messages",
        "place",
        "seen",
        "tags",
        "count",
        "type",
        "role",
        "content",
        "id",
        "node",
        "input",
        "tool_calls",
        "args",
        "name",
        "floor",
        "url",
        "data",
        "__proto__",
        "constructor",
        "lc",
        "kwargs",
        "configurable",
        "checkpoint_id",
        "superstep_parent",
        "text",
        "image_url");
  }

  @Test
  void input_of_another_form_is_that_of_the_program() {
    var served = ServedGraph.of(GRAPH).taking(json -> Input.of(COUNT, json.as(Long.class)));
    var wire = new GraphWire(served);
    assertThat(wire.input(WireThread.json("7"))).isEqualTo(Input.of(COUNT, 7L));
    assertThatThrownBy(() -> wire.input(WireThread.json("'x'")))
        .isInstanceOf(HttpFailure.class)
        .hasMessageContaining("input does not fit");
  }

  @Test
  @Tag("H4.5")
  void descriptions_of_graphs_are_as_the_studio_reads_them() {
    var text = new StringBuilder();
    var weather = new GraphWire(ServedGraph.of(WireGraphs.weather()));
    add(text, "graph", weather.graph(0));
    add(text, "xray", weather.graph(1));
    add(text, "schemas", WIRE.schemas());
    add(text, "subgraphs", weather.subgraphs(java.util.Optional.empty(), true));
    add(text, "agent", new GraphWire(ServedGraph.of(WireGraphs.agent())).graph(0));
    GOLDEN.check("descriptions.golden", text.toString());
  }

  private static void add(StringBuilder text, String name, JsonNode json) {
    text.append("== ").append(name).append('\n');
    text.append(JsonMapper.shared().writerWithDefaultPrettyPrinter().writeValueAsString(json));
    text.append('\n');
  }

  @Test
  void metadata_of_runs_survives_the_store() {
    var json = WireThread.json("{'a':'x','b':1,'c':{'d':[true]},'e':'json:1','superstep_x':'no'}");
    var shown = RunMetadata.shown(RunMetadata.stored(json));
    ((tools.jackson.databind.node.ObjectNode) json).remove("superstep_x");
    assertThat(shown).isEqualTo(json);
  }
}
