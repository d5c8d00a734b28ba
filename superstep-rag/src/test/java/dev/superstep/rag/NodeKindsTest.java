package dev.superstep.rag;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.agent.Agent;
import dev.superstep.graph.RunOptions;
import dev.superstep.json.Json;
import dev.superstep.message.Message;
import dev.superstep.message.ToolCall;
import dev.superstep.model.ScriptedModel;
import dev.superstep.node.Update;
import dev.superstep.rag.component.Mapping;
import dev.superstep.rag.component.RagKind;
import dev.superstep.rag.error.RagRunFailed;
import dev.superstep.registry.Component;
import dev.superstep.registry.Kind;
import dev.superstep.state.Channel;
import dev.superstep.tool.Tool;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The work of nodes of each kind, and the difference that their items make.
class NodeKindsTest {
  private final Bench bench = new Bench().steps("a", "b");
  private final AtomicInteger lookups = new AtomicInteger();

  record City(String name) {}

  record Verdict(String route, int score) {}

  NodeKindsTest() {
    bench.registry.register(
        Component.of(
            Kind.TOOL,
            "look_up",
            Tool.of(
                "look_up",
                "Looks up.",
                City.class,
                (city, _) -> {
                  lookups.incrementAndGet();
                  return "sunny in " + city.name();
                })));
    bench.type("verdict", Verdict.class);
  }

  private static ToolCall lookUp(String id, String city) {
    return new ToolCall(id, "look_up", "{\"name\":\"" + city + "\"}");
  }

  private Json export(String text) throws Exception {
    return export(text, Map.of());
  }

  private Json export(String text, Map<String, ?> input) throws Exception {
    var graph = bench.graph(text);
    return graph.export(Bench.run(graph, input, RunOptions.defaults()));
  }

  // model

  @Test
  @Tag("R9")
  @Tag("R12")
  @Tag("R13")
  void a_model_continues_the_conversation_and_its_reply_joins_it() throws Exception {
    var model = bench.saying("m", "one", "two");
    var text =
        """
        graph g {
          channel messages messages
          start a
          node a { model "m" system "Be brief." prompt "Hello" next b }
          node b { model "m" prompt "And then?" }
        }
        """;
    var graph = bench.graph(text);
    var end = Bench.run(graph, Map.of(), RunOptions.defaults());
    @SuppressWarnings("unchecked")
    var said = (List<Message>) graph.value(end, "messages").orElseThrow();
    assertThat(said).extracting(Message::text).containsExactly("Hello", "one", "And then?", "two");
    assertThat(model.requests().getFirst().messages())
        .extracting(Message::text)
        .containsExactly("Be brief.", "Hello");
    assertThat(model.requests().getLast().messages())
        .extracting(Message::text)
        .containsExactly("Hello", "one", "And then?");
  }

  @Test
  void a_model_without_a_prompt_is_told_the_input() throws Exception {
    var model = bench.saying("m", "ok", "ok");
    export("graph g { input { claim text } start a node a { model \"m\" } }", Map.of("claim", "x"));
    assertThat(model.requests().getLast().messages().getLast().text()).isEqualTo("x");
    export(
        "graph g { input { claim text size int } start a node a { model \"m\" } }",
        Map.of("claim", "x", "size", 3L));
    assertThat(model.requests().getLast().messages().getLast().text())
        .isEqualTo("{\"claim\":\"x\",\"size\":3}");
  }

  @Test
  void placeholders_are_filled_and_doubled_braces_are_kept() throws Exception {
    var model = bench.saying("m", "ok");
    export(
        "graph g { input { claim text } start a node a { model \"m\" prompt \"{claim} {{x}} $1\" }"
            + " }",
        Map.of("claim", "a $ and \\"));
    assertThat(model.requests().getLast().messages().getLast().text())
        .isEqualTo("a $ and \\ {x} $1");
  }

  @Test
  void a_template_is_a_registered_text() throws Exception {
    var model = bench.saying("m", "ok");
    bench.registry.register(Component.of(RagKind.TEMPLATE, "ask", "About {claim}?"));
    export(
        "graph g { input { claim text } start a node a { model \"m\" prompt template \"ask\" } }",
        Map.of("claim", "x"));
    assertThat(model.requests().getLast().messages().getLast().text()).isEqualTo("About x?");
  }

  @Test
  void an_input_mapping_makes_what_the_model_is_told() throws Exception {
    var model = bench.saying("m", "ok");
    bench.mapping("shout", _ -> "LOUD");
    export("graph g { start a node a { model \"m\" input \"shout\" } }");
    assertThat(model.requests().getLast().messages().getLast().text()).isEqualTo("LOUD");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\'',
      value = {
        "text       | 42 | \"42\"",
        "int        | 42 | 42",
        "decimal    | 4.5 | 4.5",
        "bool       | true | true",
        "json       | {\"a\":1} | {\"a\":1}",
        "list<text> | [\"a\"] | [\"a\"]",
        "verdict    | {\"route\":\"x\",\"score\":3} | {\"route\":\"x\",\"score\":3}",
      })
  void an_answer_has_the_type_that_the_node_says(String type, String said, String stored)
      throws Exception {
    bench.saying("m", said);
    var text =
        """
        graph g {
          channel x overwrite of %s
          start a
          node a { model "m" prompt "?" answer %s into x }
        }
        """
            .formatted(type, type);
    assertThat(export(text)).isEqualTo(Json.parse("{\"x\":" + stored + "}"));
  }

  @Test
  void an_answer_of_another_type_is_an_error() {
    bench.saying("m", "many");
    var text =
        "graph g { channel x overwrite of int start a node a { model \"m\" prompt \"?\" answer int"
            + " into x } }";
    assertThatThrownBy(() -> export(text))
        .isInstanceOf(RagRunFailed.class)
        .hasMessageContaining("the model should answer with `int`, and said: many");
  }

  @Test
  void the_route_of_a_typed_answer_is_its_field() throws Exception {
    bench.saying("m", "{\"route\":\"left\",\"score\":3}");
    var text =
        """
        graph g {
          channel trace append of text
          start m
          node m { model "m" prompt "?" answer verdict routes { left -> a  right -> b } }
          node a { kind function function "a" }
          node b { kind function function "b" }
        }
        """;
    assertThat(export(text)).isEqualTo(Json.parse("{\"trace\":[\"a\"]}"));
  }

  // tool_executor

  @Test
  @Tag("W1")
  void a_tool_executor_runs_the_calls_that_its_model_made() throws Exception {
    var model =
        bench.replying(
            "m",
            ScriptedModel.calls(lookUp("1", "Oslo"), lookUp("2", "Rome")),
            ScriptedModel.text("Sunny in both."));
    var text =
        """
        graph g {
          channel messages messages
          start m
          node m { model "m" prompt "Weather?" routes { tool_call -> run  final -> END } }
          node run { kind tool_executor tools ["look_up"] next m }
        }
        """;
    var graph = bench.graph(text);
    var end = Bench.run(graph, Map.of(), RunOptions.defaults());
    @SuppressWarnings("unchecked")
    var said = (List<Message>) graph.value(end, "messages").orElseThrow();
    assertThat(said)
        .extracting(Message::text)
        .containsExactly(
            "Weather?", "", "sunny in Oslo", "sunny in Rome", "Weather?", "Sunny in both.");
    assertThat(model.requests().getFirst().tools()).extracting("name").containsExactly("look_up");
  }

  @Test
  void a_tool_executor_leaves_calls_of_other_tools_alone() throws Exception {
    bench.replying("m", ScriptedModel.calls(new ToolCall("1", "other", "{}"), lookUp("2", "Rome")));
    var text =
        """
        graph g {
          channel messages messages
          start m
          node m { model "m" prompt "Weather?" next run }
          node run { kind tool_executor tools ["look_up"] }
        }
        """;
    export(text);
    assertThat(lookups).hasValue(1);
  }

  @Test
  @Tag("R13")
  void a_tool_executor_may_be_given_its_calls_on_a_channel() throws Exception {
    var calls = Channel.latest("tool_calls", Json.class);
    bench
        .channel(calls)
        .function(
            "call",
            (_, _) ->
                Update.of(
                    calls,
                    Json.parse(
                        """
                        [{"id":"1","tool":"look_up","arguments":"{\\"name\\":\\"Oslo\\"}"}]
                        """)));
    var text =
        """
        graph g {
          channel messages messages
          channel tool_calls overwrite
          start a
          node a { kind function function "call" next run }
          node run { kind tool_executor tools ["look_up"] }
        }
        """;
    export(text);
    assertThat(lookups).hasValue(1);
  }

  // agent and subagent

  private static final String AGENT =
      """
      graph g {
        channel messages messages
        channel report overwrite of text
        channel trace append of text
        start work
        node work { kind agent model "m" system "Be kind." prompt "Weather?" %s into report %s }
        node a { kind function function "a" }
        node b { kind function function "b" }
      }
      """;

  private static final String ROUTED = "routes { final -> a  limit -> b }";

  @Test
  @Tag("W1")
  @Tag("W2")
  void an_agent_calls_its_tools_until_it_has_an_answer() throws Exception {
    var model =
        bench.replying(
            "m", ScriptedModel.calls(lookUp("1", "Oslo")), ScriptedModel.text("It is sunny."));
    var graph = bench.graph(AGENT.formatted("tools [\"look_up\"]", ROUTED));
    var end = Bench.run(graph, Map.of(), RunOptions.defaults());
    assertThat(graph.value(end, "report")).contains("It is sunny.");
    assertThat(graph.value(end, "trace")).contains(List.of("a"));
    @SuppressWarnings("unchecked")
    var said = (List<Message>) graph.value(end, "messages").orElseThrow();
    assertThat(said)
        .extracting(Message::text)
        .containsExactly("Weather?", "", "sunny in Oslo", "It is sunny.");
    assertThat(model.requests().getFirst().messages().getFirst().text()).isEqualTo("Be kind.");
    assertThat(model.requests().getFirst().tools()).extracting("name").containsExactly("look_up");
  }

  @Test
  void an_agent_at_its_limit_takes_the_route_of_limits_or_fails() throws Exception {
    var limits = "tools [\"look_up\"] limits { model_calls 1 }";
    bench.replying(
        "m", ScriptedModel.calls(lookUp("1", "Oslo")), ScriptedModel.calls(lookUp("2", "Oslo")));
    var graph = bench.graph(AGENT.formatted(limits, ROUTED));
    var end = Bench.run(graph, Map.of(), RunOptions.defaults());
    assertThat(graph.value(end, "trace")).contains(List.of("b"));
    var failing = bench.graph(AGENT.formatted(limits, "next a  added_destinations [b]"));
    assertThatThrownBy(() -> Bench.run(failing, Map.of(), RunOptions.defaults()))
        .isInstanceOf(RagRunFailed.class)
        .hasMessageContaining("node `work` failed");
  }

  @ParameterizedTest
  @CsvSource({"1, 0", "2, 1"})
  void the_depth_of_agents_inside_each_other_is_limited(int depth, int asked) throws Exception {
    var inner = ScriptedModel.saying("deep");
    var helper = Agent.named("helper").model(inner).build().asTool("Helps.");
    bench.registry.register(Component.of(Kind.TOOL, "helper", helper));
    bench.replying(
        "m",
        ScriptedModel.calls(new ToolCall("1", "helper", "{\"task\":\"x\"}")),
        ScriptedModel.text("done"));
    export(
        "graph g { start w node w { kind agent model \"m\" prompt \"?\" tools [\"helper\"] limits { depth %d } } }"
            .formatted(depth));
    assertThat(inner.calls()).isEqualTo(asked);
  }

  private Agent<String> checker(ScriptedModel model) {
    return Agent.named("checker")
        .model(model)
        .tools(bench.registry.get(Kind.TOOL, "look_up"))
        .build();
  }

  @Test
  @Tag("W1")
  @Tag("W2")
  void a_subagent_is_a_registered_agent_with_a_task_of_its_own() throws Exception {
    var model = ScriptedModel.saying("checked");
    bench.registry.register(Component.of(Kind.AGENT, "checker", checker(model)));
    bench.mapping("task", _ -> "Check it.");
    var text =
        """
        graph g {
          channel x overwrite of text
          start c
          node c { kind subagent agent "checker" input "task" into x }
        }
        """;
    assertThat(export(text)).isEqualTo(Json.parse("{\"x\":\"checked\"}"));
    assertThat(model.requests().getFirst().messages().getLast().text()).isEqualTo("Check it.");
  }

  @Test
  @Tag("R15")
  void a_subagent_asks_the_model_that_the_node_names() throws Exception {
    bench.registry.register(
        Component.of(Kind.AGENT, "checker", checker(ScriptedModel.saying("its own"))));
    bench.saying("other", "the other");
    bench.mapping("task", _ -> "Check it.");
    var text =
        """
        graph g {
          channel x overwrite of text
          start c
          node c { kind subagent agent "checker" model "other" input "task" into x }
        }
        """;
    assertThat(export(text)).isEqualTo(Json.parse("{\"x\":\"the other\"}"));
    bench.registry.replace(
        Component.of(Kind.AGENT, "checker", checker(ScriptedModel.saying("its own"))));
    assertThat(export(text.replace("model \"other\"", "")))
        .isEqualTo(Json.parse("{\"x\":\"its own\"}"));
  }

  @ParameterizedTest
  @Tag("R27")
  @Tag("R30")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\'',
      value = {
        "'' | '' | 1",
        "'' | tools [\"notify\"] | 0",
        "allow tools [\"notify\"] | '' | 0",
        "allow tools [\"notify\", \"look_up\"] | tools [\"look_up\"] | 1",
        "allow agents [\"checker\"] | '' | 1",
      })
  void a_subagent_may_use_no_more_tools_than_its_node_and_its_graph(
      String allow, String tools, int called) throws Exception {
    bench.registry.register(
        Component.of(
            Kind.TOOL, "notify", Tool.of("notify", "Notifies.", City.class, (_, _) -> "done")));
    var model =
        ScriptedModel.replying(
            ScriptedModel.calls(lookUp("1", "Oslo")), ScriptedModel.text("done"));
    bench.registry.register(Component.of(Kind.AGENT, "checker", checker(model)));
    bench.mapping("task", _ -> "Check it.");
    export(
        "graph g { %s start c node c { kind subagent agent \"checker\" input \"task\" %s } }"
            .formatted(allow, tools));
    assertThat(lookups).hasValue(called);
  }

  @Test
  void a_remembering_subagent_continues_its_conversation() throws Exception {
    var model = ScriptedModel.saying("one", "two", "one", "two");
    bench.registry.register(Component.of(Kind.AGENT, "checker", checker(model)));
    bench.mapping("task", _ -> "Check it.");
    bench.router("twice", s -> s.get(Bench.TRACE).size() < 1 ? "again" : "done");
    var text =
        """
        graph g {
          channel trace append of text
          start c
          node c { kind subagent agent "checker" input "task" remembering next r }
          node r { kind router router "twice" routes { again -> a  done -> END } }
          node a { kind function function "a" next c }
        }
        """;
    var store = new dev.superstep.checkpoint.InMemoryCheckpointer();
    Bench.run(bench.graph(text), Map.of(), RunOptions.thread("t").checkpoints(store));
    assertThat(model.requests().get(1).messages())
        .extracting(Message::text)
        .containsExactly("Check it.", "one", "Check it.");
    Bench.run(
        bench.graph(text.replace("remembering ", "")),
        Map.of(),
        RunOptions.thread("u").checkpoints(store));
    assertThat(model.requests().get(3).messages())
        .extracting(Message::text)
        .containsExactly("Check it.");
  }

  @Test
  void middleware_stands_around_the_calls_of_a_model() throws Exception {
    var model = bench.saying("m", "left", "left");
    bench.registry.register(
        Component.of(
            Kind.MIDDLEWARE,
            "polite",
            new dev.superstep.middleware.Middleware() {
              @Override
              public dev.superstep.model.ChatRequest beforeModel(
                  dev.superstep.model.ChatRequest request,
                  dev.superstep.middleware.AgentContext context) {
                return request.withTemperature(0);
              }
            }));
    var text =
        """
        graph g {
          channel trace append of text
          start m
          node m { model "m" prompt "?" %s routes { left -> a  right -> b } }
          node a { kind function function "a" }
          node b { kind function function "b" }
        }
        """;
    assertThat(export(text.formatted("middleware [\"polite\"]")))
        .isEqualTo(Json.parse("{\"trace\":[\"a\"]}"));
    assertThat(model.requests().getFirst().temperature()).contains(0.0);
    export(text.formatted(""));
    assertThat(model.requests().getLast().temperature()).isEmpty();
  }

  @Test
  void an_output_mapping_makes_writes_of_the_answer_of_an_agent() throws Exception {
    bench.registry.register(
        Component.of(Kind.AGENT, "checker", checker(ScriptedModel.saying("7", "7"))));
    bench.mapping("task", _ -> "Check it.");
    bench.mapping(
        "twice",
        new Mapping() {
          @Override
          public Object of(dev.superstep.state.State state) {
            throw new AssertionError("it is given the answer");
          }

          @Override
          public Object of(dev.superstep.state.State state, Object answer) {
            return Map.of("x", answer + " and " + answer);
          }
        });
    var text =
        """
        graph g {
          channel x overwrite of text
          start c
          node c { kind subagent agent "checker" input "task" %s into x }
        }
        """;
    assertThat(export(text.formatted("output \"twice\"")))
        .isEqualTo(Json.parse("{\"x\":\"7 and 7\"}"));
    var typed = text.replace("of text", "of int").formatted("answer int");
    assertThat(export(typed)).isEqualTo(Json.parse("{\"x\":7}"));
  }

  // function, repl_agent

  @Test
  void a_function_that_is_sent_something_gets_its_argument() throws Exception {
    bench.sent("echo", (argument, _, _) -> Update.of(Bench.TRACE, "got " + argument));
    bench.mapping("parts", _ -> List.of(new Verdict("x", 1)));
    var text =
        """
        graph g {
          channel trace append
          start { sends [send echo "parts"] }
          node echo { kind function function "echo" argument verdict }
        }
        """;
    assertThat(bench.value(text, "trace")).isEqualTo(List.of("got Verdict[route=x, score=1]"));
  }

  @Test
  @Tag("S20")
  void a_repl_agent_works_by_cells_that_call_its_tools() throws Exception {
    var driver =
        ScriptedModel.saying(
            "```ragsh\nfound = tool('policy_lookup', name='Oslo')\n```",
            "```ragsh\nanswer(found['limit'] + 1)\n```");
    bench.model("large", driver);
    bench.registry.register(
        Component.of(
            Kind.TOOL,
            "policy_lookup",
            Tool.of(
                "policy_lookup",
                "Finds a policy.",
                City.class,
                (city, _) -> "{\"limit\": " + city.name().length() + "}")));
    var text =
        """
        graph g {
          channel x overwrite of int
          start probe
          node probe { kind repl_agent model "large" prompt "Check it." tools ["policy_lookup"] answer int into x }
        }
        """;
    assertThat(export(text)).isEqualTo(Json.parse("{\"x\":5}"));
    assertThat(driver.calls()).isEqualTo(2);
  }

  @Test
  void a_script_runs_before_any_model_is_asked() throws Exception {
    bench.registry.register(Component.of(Kind.SCRIPT, "probe", "answer(6 * 7)"));
    var text =
        """
        graph g {
          channel x overwrite of int
          start probe
          node probe { kind repl_agent script "probe" prompt "Check it." answer int into x }
        }
        """;
    assertThat(export(text)).isEqualTo(Json.parse("{\"x\":42}"));
  }

  @Test
  void a_repl_agent_without_script_and_model_is_refused() {
    var program = bench.program("graph g { start p node p { kind repl_agent } }");
    assertThat(program.isValid()).isFalse();
  }
}
