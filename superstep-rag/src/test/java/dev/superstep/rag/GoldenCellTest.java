package dev.superstep.rag;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.agent.AgentResult;
import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.graph.RunOptions;
import dev.superstep.language.rag.Capability;
import dev.superstep.model.ModelException;
import dev.superstep.model.ScriptedModel;
import dev.superstep.node.Update;
import dev.superstep.rag.review.GraphLibrary;
import dev.superstep.rag.review.RagLanguage;
import dev.superstep.rag.review.ReviewGate;
import dev.superstep.rag.review.ReviewKey;
import dev.superstep.repl.agent.ReplAgent;
import dev.superstep.repl.grant.Grants;
import dev.superstep.repl.host.TextSource;
import dev.superstep.store.InMemoryStore;
import dev.superstep.testkit.Golden;
import dev.superstep.tool.Tool;
import dev.superstep.tool.ToolGate;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// The golden script of the specification, which calls everything that a cell can call, with a host
/// that follows a script: it does the same each time.
@Tag("S31")
@Tag("S32")
class GoldenCellTest {
  private static final String TEXT = "Rent 120 EUR\n\nno amount here\n\nPower 30 EUR";
  private static final String SCRIPT =
      """
      parts = context.split("\\n\\n")
      notes = model_query_batched([{"model": "small", "prompt": "Amounts in: " + p} for p in parts])
      total = 0
      for n in notes:
          if n.ok:
              total += int(n.value)
          else:
              emit("skipped", {"why": n.error})
      draft = graph_define({"name": "recheck", "source": candidate_rag})
      problems = graph_validate(draft)
      if len(problems) > 0:
          answer("proposal rejected: " + problems[0]["code"])
      try:
          tool_call({"tool": "ledger_write", "arguments": {"sum": total}})
      except HostError as e:
          emit("denied", {"why": e.code})
      show_vars()
      answer(total)
      """;

  record Sum(long sum) {}

  private static String candidate(String function) {
    return "candidate_rag = 'graph recheck { input { word text } output { trace list<text> }'\n"
        + "candidate_rag += ' channel trace append of text start a node a { kind function function \"%s\" } }'\n"
            .formatted(function);
  }

  private static String trajectory(String function) throws Exception {
    var bench = new Bench().function("echo", (_, _) -> Update.of(Bench.TRACE, "echo"));
    var store = InMemoryStore.open();
    var gate = new ReviewGate(store, ReviewKey.of(new byte[32]), InstantSource.system());
    var language =
        RagLanguage.of(bench.registry, gate, new GraphLibrary(store, gate))
            .allowing(Map.of(Capability.FUNCTIONS, Set.of("echo")));
    var small =
        ScriptedModel.by(request -> {
          var digits = request.messages().getLast().text().replaceAll("\\D+", "");
          if (digits.isEmpty()) {
            throw new ModelException(ModelException.Kind.BAD_REQUEST, "no amount");
          }
          return ScriptedModel.text(digits);
        });
    var write = Tool.of("ledger_write", "Keeps a sum.", Sum.class, (_, _) -> "kept");
    var agent =
        ReplAgent.named("desk")
            .model(ScriptedModel.saying())
            .grants(Grants.of(bench.registry).model("small", small).tools(write).language(language))
            .gate(ToolGate.open().without("ledger_write"))
            .context(TextSource.of(TEXT))
            .script(candidate(function) + SCRIPT)
            .build();
    var options = RunOptions.defaults().on("t", new InMemoryCheckpointer());
    var result = agent.run("Sum?", options);
    var out = new StringBuilder();
    for (var cell : agent.graph().state(options).orElseThrow().state().get(ReplAgent.CELLS)) {
      out.append(cell.source()).append("---\n");
      for (var call : cell.calls()) {
        out.append(call.kind()).append(' ').append(call.name()).append('\n');
        for (var each : call.answers()) {
          out.append("  ").append(each.value().text()).append(' ').append(each.code()).append('\n');
        }
      }
      out.append("---\n").append(cell.output()).append("---\n");
      for (var one : cell.changed()) {
        out.append(one.name()).append(' ').append(one.type()).append(' ').append(one.size());
        out.append('\n');
      }
    }
    return out.append("---\n").append(answer(result)).append('\n').toString();
  }

  private static String answer(AgentResult<String> result) {
    return result.answer();
  }

  @Test
  void it_gives_one_fixed_trajectory() throws Exception {
    var golden = Golden.in("dev/superstep/rag");
    golden.check("golden_cell.txt", trajectory("echo"));
    golden.check("golden_cell_rejected.txt", trajectory("secret"));
    assertThat(List.of(trajectory("echo"))).containsExactly(trajectory("echo"));
  }
}
