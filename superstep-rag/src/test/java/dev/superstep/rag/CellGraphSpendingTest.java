package dev.superstep.rag;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.agent.Agent;
import dev.superstep.budget.Spend;
import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.graph.RunOptions;
import dev.superstep.language.rag.Capability;
import dev.superstep.message.AssistantMessage;
import dev.superstep.model.ChatReply;
import dev.superstep.model.ScriptedModel;
import dev.superstep.model.Usage;
import dev.superstep.node.NodeResult;
import dev.superstep.rag.review.GraphLibrary;
import dev.superstep.rag.review.RagLanguage;
import dev.superstep.rag.review.ReviewGate;
import dev.superstep.rag.review.ReviewKey;
import dev.superstep.registry.Component;
import dev.superstep.registry.Kind;
import dev.superstep.repl.agent.ReplAgent;
import dev.superstep.repl.grant.Grants;
import dev.superstep.run.Answers;
import dev.superstep.state.Channel;
import dev.superstep.store.InMemoryStore;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// A graph of text that a cell runs is kept, and what its models cost counts, whatever dies.
@Tag("S10")
class CellGraphSpendingTest {
  private static final Usage USED = new Usage(10, 0, 0, 5, 0, false);
  private static final Channel<String, String> SAID = Channel.latest("said", String.class);
  private static final String TEXT =
      """
      graph twice {
        input { word text }
        output { said text }
        channel said overwrite of text
        start a
        node a { kind model model "small" system "first {word}" into said next b }
        node b { kind function function "fragile" next c }
        node c { kind model model "small" system "second {word}" into said }
      }
      """;

  private final List<String> asked = new CopyOnWriteArrayList<>();
  private volatile boolean isDeadly;

  private Agent<String> agent() {
    var small =
        ScriptedModel.by(request -> {
          var text = request.messages().getFirst().text();
          asked.add(text);
          var message = new AssistantMessage("", "heard " + text, List.of());
          return ScriptedModel.reply(message, USED, ChatReply.Finish.STOP);
        });
    var bench =
        new Bench()
            .channel(SAID)
            .function(
                "fragile",
                (_, _) -> {
                  if (isDeadly) throw new OutOfMemoryError("it dies");
                  return NodeResult.nothing();
                });
    bench.registry.register(Component.of(Kind.MODEL, "small", small));
    var store = InMemoryStore.open();
    var gate = new ReviewGate(store, ReviewKey.of(new byte[32]), InstantSource.system());
    var library = new GraphLibrary(store, gate);
    var graphs =
        Rag.compile(
                dev.superstep.language.Source.of("twice.rag", TEXT),
                bench.registry,
                dev.superstep.language.check.CheckPolicy.generated("ann").withoutReview())
            .blueprints();
    gate.keep(gate.sign(ReviewGate.hash(graphs), "ann", Duration.ofDays(1)));
    library.register("twice", "ann", graphs);
    var cell = "```\nanswer(graph_run('twice', {'word': 'x'}))\n```";
    return ReplAgent.named("desk")
        .model(ScriptedModel.by(_ -> ScriptedModel.text(cell)))
        .grants(
            Grants.of(bench.registry)
                .models("small")
                .language(
                    RagLanguage.of(bench.registry, gate, library)
                        .allowing(Map.of(Capability.FUNCTIONS, Set.of("fragile")))))
        .build();
  }

  @Test
  void a_graph_that_was_killed_goes_on_and_all_that_it_spent_counts() throws Exception {
    var whole = agent().run("?", RunOptions.defaults().on("t", new InMemoryCheckpointer()));
    assertThat(whole.answer()).isEqualTo("{\"said\":\"heard second x\"}");
    Spend spent = whole.report().spent();
    assertThat(spent.calls()).isEqualTo(3);
    assertThat(spent.usage().input()).isEqualTo(20);
    asked.clear();
    var store = new InMemoryCheckpointer();
    var options = RunOptions.defaults().on("t", store);
    isDeadly = true;
    assertThatThrownBy(() -> agent().run("?", options)).isInstanceOf(Throwable.class);
    isDeadly = false;
    var result = agent().resume(Answers.none(), options);
    assertThat(result.answer()).isEqualTo("{\"said\":\"heard second x\"}");
    assertThat(asked).containsExactly("first x", "second x");
    assertThat(result.report().spent()).isEqualTo(spent);
  }
}
