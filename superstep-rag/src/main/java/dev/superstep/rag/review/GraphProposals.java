package dev.superstep.rag.review;

import dev.superstep.graph.RunOptions;
import dev.superstep.json.Json;
import dev.superstep.json.MalformedJson;
import dev.superstep.json.SuperstepException;
import dev.superstep.language.Source;
import dev.superstep.language.blueprint.Blueprint;
import dev.superstep.language.blueprint.BlueprintDiff;
import dev.superstep.language.blueprint.BlueprintText;
import dev.superstep.language.bounds.Limits;
import dev.superstep.language.check.CheckPolicy;
import dev.superstep.language.rag.Capability;
import dev.superstep.node.Question;
import dev.superstep.rag.Rag;
import dev.superstep.rag.RagGraph;
import dev.superstep.rag.RagProgram;
import dev.superstep.rag.error.InvalidFields;
import dev.superstep.rag.error.MayPassBudget;
import dev.superstep.registry.Registry;
import dev.superstep.run.Answers;
import dev.superstep.run.Outcome;
import dev.superstep.run.ThreadState;
import dev.superstep.schema.Description;
import dev.superstep.state.State;
import dev.superstep.tool.Tool;
import dev.superstep.tool.ToolContext;
import dev.superstep.tool.ToolResult;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;

/// A tool by which an agent proposes a graph and runs it: the text is checked, compared with what
/// is registered, shown to a person, registered and run, on the thread of the agent. A process that
/// dies anywhere in between goes on from there: nothing is registered without its approval, and
/// nothing that is approved is asked about again.
///
/// ```java
/// var proposals = GraphProposals.of(registry, gate, library)
///     .allowing(Map.of(Capability.MODELS, Set.of("small"), Capability.TOOLS, Set.of("search")))
///     .limits(Limits.none().and(Measure.MODEL_CALLS, 20))
///     .runs(thread -> RunOptions.thread(thread).checkpoints(store));
/// var agent = Agent.named("planner").model(model).tools(proposals.tool()).build();
/// ```
///
/// Immutable; each method returns a changed copy.
///
/// @param allowed what a text may use, by kind; a kind that is absent is not narrowed
/// @param limits what a run may take; a text that may take more is refused before a person is asked
/// @param runs the options of a run on a thread of this name, which is made of the agent's
public record GraphProposals(
    Registry registry,
    ReviewGate gate,
    GraphLibrary library,
    String by,
    Map<Capability, Set<String>> allowed,
    Limits limits,
    Function<String, RunOptions> runs) {
  /// The question that stands for one of the graph that was proposed; its payload is that one's.
  public static final Question<Json, Json> INNER =
      Question.of("rag-proposed-run", Json.class, Json.class);

  private static final String NAME = "propose_graph";
  private static final String DESCRIPTION =
      "Proposes a graph as .rag text. A person sees it first; if they approve, it runs on the input"
          + " and its output is returned. Findings about the text are returned as an error: repair"
          + " it and propose it again.";
  private static final int QUESTIONS_MAX = 1_000;

  public GraphProposals {
    allowed = Map.copyOf(allowed);
  }

  /// The arguments of the tool.
  ///
  /// @param text all graphs of the text, of which one is used by no other
  /// @param input a JSON object with the fields of its `input`
  public record Arguments(
      @Description("the .rag source") String text,
      @Description("a JSON object with the fields of the graph's input") String input) {}

  /// Proposals of texts that may use all that is registered, without limits and unsaved runs.
  public static GraphProposals of(Registry registry, ReviewGate gate, GraphLibrary library) {
    return new GraphProposals(
        registry, gate, library, "agent", Map.of(), Limits.none(), _ -> RunOptions.defaults());
  }

  /// Sets who is said to have written the texts.
  public GraphProposals by(String author) {
    return new GraphProposals(registry, gate, library, author, allowed, limits, runs);
  }

  /// Allows only these names of the kinds that are given.
  public GraphProposals allowing(Map<Capability, Set<String>> names) {
    return new GraphProposals(registry, gate, library, by, names, limits, runs);
  }

  /// Limits what a run may take.
  public GraphProposals limits(Limits most) {
    return new GraphProposals(registry, gate, library, by, allowed, most, runs);
  }

  /// Sets the options of runs; their checkpointer is that of the agent, so that both survive.
  public GraphProposals runs(Function<String, RunOptions> options) {
    return new GraphProposals(registry, gate, library, by, allowed, limits, options);
  }

  /// The tool.
  public Tool tool() {
    return Tool.of(NAME, DESCRIPTION, Arguments.class, this::propose)
        .withQuestions(Proposal.QUESTION, INNER)
        .withoutTimeout();
  }

  private CheckPolicy rules() {
    return CheckPolicy.generated(by).allowing(allowed);
  }

  private Object propose(Arguments arguments, ToolContext context) throws Exception {
    var source = Source.of("proposal.rag", arguments.text());
    // The review is the next thing here; what is run is opened by the library, which asks the gate.
    var node = context.node();
    // Of the first attempt, so that a crash changes nothing of what is stored.
    var written = node.step("written", Instant.class, () -> node.clock().instant());
    var rules = rules().madeBy(node.run(), written);
    var program = Rag.compile(source, registry, rules.withoutReview());
    if (!program.isValid()) return ToolResult.error(program.text());
    RagGraph graph;
    try {
      graph = program.graph().within(limits);
      var _ = graph.input(Json.parse(arguments.input()));
    } catch (MayPassBudget | InvalidFields | IllegalStateException | MalformedJson e) {
      return ToolResult.error(String.valueOf(e.getMessage()));
    }
    var graphs = program.blueprints();
    var name = graph.blueprint().graph();
    var hash = ReviewGate.hash(graphs);
    // Questions are told apart by their order, so a call that asked once asks in each of its runs.
    boolean isKnown =
        context.node().step("approved", Boolean.class, () -> gate.approval(hash).isPresent());
    if (!isKnown) {
      var verdict = context.ask(Proposal.QUESTION, proposal(program, graph, hash));
      if (verdict.approval().isEmpty()) {
        return ToolResult.error("A person refused the graph. " + verdict.note());
      }
      var refusal = gate.refusal(verdict.approval().get(), hash);
      if (refusal.isPresent()) return ToolResult.error("Nothing was run: " + refusal.get());
      gate.keep(verdict.approval().get());
    }
    library.register(name, by, graphs);
    return run(library.open(name, registry, rules()).within(limits), arguments.input(), context);
  }

  private Proposal proposal(RagProgram program, RagGraph graph, String hash) {
    var name = graph.blueprint().graph();
    return new Proposal(
        name,
        hash,
        by,
        difference(library.blueprints(name), program.blueprints()),
        graph.bounds().text(program.source()),
        BlueprintText.of(program.blueprints()));
  }

  /// The differences of all graphs, with those first that let more through.
  private static String difference(List<Blueprint> old, List<Blueprint> now) {
    var wider = new ArrayList<String>();
    var others = new ArrayList<String>();
    for (var graph : now) {
      var before = find(old, graph.graph());
      var diff = BlueprintDiff.of(before, graph);
      if (!diff.isEmpty()) (diff.isWider() ? wider : others).add(shown(graph.graph(), diff));
    }
    for (var graph : old) {
      if (now.stream().anyMatch(each -> each.graph().equals(graph.graph()))) continue;
      others.add("graph " + graph.graph() + " removed\n");
    }
    wider.addAll(others);
    return wider.isEmpty() ? "no difference\n" : String.join("", wider);
  }

  private static Blueprint find(List<Blueprint> graphs, String name) {
    return graphs.stream()
        .filter(each -> each.graph().equals(name))
        .findFirst()
        .orElseGet(() -> Blueprint.empty(name));
  }

  private static String shown(String graph, BlueprintDiff diff) {
    return "graph " + graph + "\n" + diff.text();
  }

  /// Runs the graph on a thread whose name is the same after a crash.
  private Object run(RagGraph graph, String input, ToolContext context)
      throws InterruptedException {
    var options = runs.apply(thread(context));
    boolean isSaved = options.thread().isPresent() && options.checkpointer().isPresent();
    var before =
        isSaved ? graph.graph().state(graph.options(options)) : Optional.<ThreadState>empty();
    if (before.isPresent() && before.get().next().isEmpty()) {
      return output(graph, before.get().state());
    }
    try {
      var outcome =
          before.isPresent()
              ? graph.resume(Answers.none(), options)
              : graph.run(graph.input(Json.parse(input)), options);
      for (int asked = 0; asked < QUESTIONS_MAX; asked++) {
        switch (outcome) {
          case Outcome.Completed(var end) -> {
            return output(graph, end);
          }
          case Outcome.Stopped(var reason, _) -> {
            return ToolResult.error("The run stopped: " + reason);
          }
          case Outcome.Interrupted(var questions) -> {
            var first = questions.getFirst();
            if (!isSaved) return ToolResult.error("The graph asks, and its run is not saved.");
            var answer = context.ask(INNER, first.payload());
            outcome = graph.resume(Answers.json(first.id(), answer), options);
          }
        }
      }
      return ToolResult.error("The run asked too often.");
    } catch (SuperstepException e) {
      return ToolResult.error("The run failed: " + e.getMessage());
    }
  }

  private static String thread(ToolContext context) {
    var key = "rag-proposal " + context.idempotencyKey();
    return "proposal-" + UUID.nameUUIDFromBytes(key.getBytes(StandardCharsets.UTF_8));
  }

  private static Object output(RagGraph graph, State end) {
    return ToolResult.of(graph.output(end).text());
  }
}
