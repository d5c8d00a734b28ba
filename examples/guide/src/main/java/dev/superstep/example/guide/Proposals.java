package dev.superstep.example.guide;

import dev.superstep.agent.Agent;
import dev.superstep.agent.AgentResult;
import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.graph.RunOptions;
import dev.superstep.json.Json;
import dev.superstep.language.bounds.Limits;
import dev.superstep.language.bounds.Measure;
import dev.superstep.language.rag.Capability;
import dev.superstep.message.ToolCall;
import dev.superstep.model.ChatModel;
import dev.superstep.model.ScriptedModel;
import dev.superstep.rag.review.GraphLibrary;
import dev.superstep.rag.review.GraphProposals;
import dev.superstep.rag.review.Proposal;
import dev.superstep.rag.review.ReviewGate;
import dev.superstep.rag.review.ReviewKey;
import dev.superstep.rag.review.Verdict;
import dev.superstep.registry.Component;
import dev.superstep.registry.Kind;
import dev.superstep.registry.Registry;
import dev.superstep.run.Answers;
import dev.superstep.store.InMemoryStore;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.Set;

/// An agent that proposes a graph, which a person sees before it runs.
public final class Proposals {
  private static final String TEXT =
      """
      graph haiku {
        input { topic text }
        output { poem text }
        channel poem overwrite of text
        start write
        node write { model "small" prompt "A haiku about {topic}." into poem }
      }
      """;

  private final Registry registry = Registry.named("host");
  private final InMemoryStore store = InMemoryStore.open();
  private final InMemoryCheckpointer threads = new InMemoryCheckpointer();
  private final ReviewGate gate =
      new ReviewGate(
          store,
          ReviewKey.of("a secret of thirty-two bytes ....".getBytes(StandardCharsets.UTF_8)),
          InstantSource.system());

  private Proposals() {
    registry.register(Component.of(Kind.MODEL, "small", ScriptedModel.saying("Ants at work.")));
  }

  private GraphProposals proposals() {
    return GraphProposals.of(registry, gate, new GraphLibrary(store, gate))
        .by("planner")
        .allowing(Map.of(Capability.MODELS, Set.of("small"), Capability.TOOLS, Set.of()))
        .limits(Limits.none().and(Measure.MODEL_CALLS, 10));
  }

  private String run(ChatModel planner) throws InterruptedException {
    var agent = Agent.named("planner").model(planner).tools(proposals().tool()).build();
    var options = RunOptions.thread("ann").checkpoints(threads);
    var result = agent.run("Write a haiku about ants.", options);
    if (result instanceof AgentResult.Waiting<String>(var questions)) {
      var question = questions.getFirst();
      var proposal = Proposal.QUESTION.read(question);
      System.out.println(proposal.difference().lines().limit(3).toList());
      System.out.println(proposal.bounds().lines().limit(2).toList());
      var approval = gate.sign(proposal.hash(), "ann@example.com", Duration.ofDays(30));
      result =
          agent.resume(
              Answers.of(question.id(), Proposal.QUESTION, Verdict.yes(approval)), options);
    }
    return result.answer();
  }

  /// Proposes the graph, approves it, and prints what it said.
  public static void main(String[] arguments) throws InterruptedException {
    var proposed = new GraphProposals.Arguments(TEXT, "{\"topic\":\"ants\"}");
    var call = new ToolCall("c1", "propose_graph", Json.of(proposed).text());
    var planner =
        ScriptedModel.replying(ScriptedModel.calls(call), ScriptedModel.text("Here it is."));
    System.out.println(new Proposals().run(planner));
  }
}
