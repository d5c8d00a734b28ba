package dev.superstep.rag;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.agent.Agent;
import dev.superstep.graph.RunOptions;
import dev.superstep.json.Json;
import dev.superstep.language.Source;
import dev.superstep.language.check.Blueprints;
import dev.superstep.language.check.CheckPolicy;
import dev.superstep.language.check.Names;
import dev.superstep.message.Message;
import dev.superstep.message.ToolCall;
import dev.superstep.model.ScriptedModel;
import dev.superstep.node.NodeResult;
import dev.superstep.registry.Component;
import dev.superstep.registry.Kind;
import dev.superstep.run.Answers;
import dev.superstep.run.Outcome;
import dev.superstep.state.Channel;
import dev.superstep.store.jdbc.SqliteCheckpointer;
import dev.superstep.testkit.CountingIds;
import dev.superstep.testkit.Golden;
import dev.superstep.testkit.ManualClock;
import dev.superstep.tool.Tool;
import dev.superstep.topology.Topology;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The golden source of the specification, which touches every construct.
class ClaimDeskTest {
  private static final Channel<Long, Long> SPEND =
      Channel.reduce("spend", Long.class, 0L, Long::sum);

  record Notice(String text) {}

  private final Bench bench = new Bench();
  private final CountingIds ids = new CountingIds();
  private String confidence = "unsure";

  ClaimDeskTest() {
    var lookUp = Tool.of("policy_lookup", "Looks up.", Notice.class, (_, _) -> "covered");
    bench.registry.register(Component.of(Kind.TOOL, "policy_lookup", lookUp));
    bench.registry.register(
        Component.of(
            Kind.TOOL,
            "notify",
            Tool.of("notify", "Notifies.", Notice.class, (n, _) -> "told " + n.text())));
    bench.registry.register(Component.of(Kind.REDUCER, "usage_sum", SPEND.reducer()));
    bench.mapping("per_question", _ -> List.of("Is it covered?", "Is it late?"));
    bench.router("by_confidence", _ -> confidence);
    bench.function("score", (_, _) -> NodeResult.nothing());
    var agent =
        ScriptedModel.by(r -> ScriptedModel.text("checked: " + r.messages().getLast().text()));
    bench.registry.register(
        Component.of(Kind.AGENT, "fact_checker", Agent.named("fact_checker").model(agent).build()));
    var probe = "found = tool('policy_lookup', text='fire')\nprint(found, len(context))";
    bench.registry.register(Component.of(Kind.SCRIPT, "probe", probe));
    bench.model(
        "small",
        ScriptedModel.by(r ->
            r.messages().getFirst().text().equals("Split the claim into questions.")
                ? ScriptedModel.calls(new ToolCall("n1", "notify", "{\"text\":\"ada\"}"))
                : ScriptedModel.text("Closed.")));
    bench.model(
        "large",
        ScriptedModel.by(r -> {
          assertThat(r.messages().getLast().text()).contains("covered");
          return ScriptedModel.text("```ragsh\nanswer('final')\n```");
        }));
  }

  private static String text() throws IOException {
    try (var in = ClaimDeskTest.class.getResourceAsStream("claim_desk.rag")) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private RunOptions options(SqliteCheckpointer store) {
    return RunOptions.thread("claim-7")
        .checkpoints(store)
        .clock(ManualClock.at("2026-11-24T00:00:00Z"))
        .ids(ids);
  }

  private void run(Path folder, String answer, String golden) throws Exception {
    var file = folder.resolve("desk.db");
    String question;
    try (var store = SqliteCheckpointer.open(file)) {
      var desk = bench.program(text()).graph("claim_desk").orElseThrow();
      var outcome = desk.run(desk.input(Map.of("claim", "My kitchen burnt down.")), options(store));
      question = ((Outcome.Interrupted) outcome).questions().getFirst().id();
    }
    // Another program, which has compiled the text again.
    try (var store = SqliteCheckpointer.open(file)) {
      var desk = bench.program(text()).graph("claim_desk").orElseThrow();
      var end = Bench.end(desk.resume(Answers.of(question, answer), options(store)));
      assertThat(desk.output(end).text()).isEqualTo("{\"verdict\":\"done\"}");
      Golden.in("dev/superstep/rag").check(golden, desk.export(end).text() + "\n");
    }
  }

  @Test
  @Tag("R43")
  @Tag("W2")
  void the_golden_source_runs_and_pays_what_a_person_approved(@TempDir Path folder)
      throws Exception {
    run(folder, "pay", "claim_desk_paid.json");
  }

  @Test
  @Tag("R43")
  void the_golden_source_closes_a_claim_that_a_person_refused(@TempDir Path folder)
      throws Exception {
    run(folder, "refuse", "claim_desk_refused.json");
  }

  @Test
  @Tag("R43")
  void a_sure_router_settles_without_a_question(@TempDir Path folder) throws Exception {
    confidence = "sure";
    try (var store = SqliteCheckpointer.open(folder.resolve("desk.db"))) {
      var desk = bench.program(text()).graph("claim_desk").orElseThrow();
      var outcome = desk.run(desk.input(Map.of("claim", "Burnt.")), options(store));
      @SuppressWarnings("unchecked")
      var said = (List<Message>) desk.value(Bench.end(outcome), "messages").orElseThrow();
      assertThat(said).extracting(Message::text).contains("told ada", "Closed.");
    }
  }

  /// Labels are not compared: a text has those by which answers choose, a graph does not need them.
  @Test
  @Tag("R43")
  void the_sketch_of_the_golden_source_has_the_edges_of_the_bound_graph() throws Exception {
    var program = bench.program(text());
    var bound = program.graph("claim_desk").orElseThrow();
    var sketch = Rag.sketch(program.blueprints(), bound.blueprint());
    var shape = bound.graph().topology();
    assertThat(unlabelled(sketch)).containsExactlyInAnyOrderElementsOf(unlabelled(shape));
    assertThat(sketch.nodes())
        .extracting(Topology.NodeShape::name)
        .containsExactlyElementsOf(shape.nodes().stream().map(Topology.NodeShape::name).toList());
    var fraud = sketch.nodes().stream().filter(node -> node.inside().isPresent()).toList();
    assertThat(fraud).extracting(Topology.NodeShape::name).containsExactly("fraud");
  }

  private static Set<Topology.EdgeShape> unlabelled(Topology shape) {
    return shape.edges().stream()
        .map(edge -> new Topology.EdgeShape(edge.kind(), edge.from(), edge.to(), "", edge.needs()))
        .collect(Collectors.toSet());
  }

  @Test
  void a_text_that_asks_for_millions_of_nodes_is_sketched_in_part() throws Exception {
    var text = new StringBuilder();
    for (int i = 0; i < 12; i++) {
      text.append("graph g").append(i).append(" {\n  start n0\n");
      for (int j = 0; j < 8; j++) {
        var to = j == 7 ? "END" : "n" + (j + 1);
        text.append("  node n").append(j).append(" { kind subgraph graph \"g").append(i + 1);
        text.append("\" next ").append(to).append(" }\n");
      }
      text.append("}\n");
    }
    var source = Source.of("deep.rag", text.toString());
    var found = Blueprints.compile(source, Names.unknown(), CheckPolicy.file("deep.rag"));
    var sketch = Rag.sketch(found.blueprints(), found.blueprint("g0").orElseThrow());
    assertThat(sketch.nodes()).hasSize(8);
    assertThat(sketch.json().text().length()).isBetween(10_000, 2_000_000);
  }

  @Test
  @Tag("R43")
  void the_input_of_the_golden_source_has_a_schema() throws Exception {
    var desk = bench.program(text()).graph("claim_desk").orElseThrow();
    assertThat(desk.inputSchema())
        .isEqualTo(
            Json.parse(
                """
                {"type":"object","title":"claim_desk","properties":{"claim":{"type":"string"}},
                "required":["claim"]}
                """));
  }
}
