package dev.superstep.rag.review;

import dev.superstep.json.Json;
import dev.superstep.json.MalformedJson;
import dev.superstep.language.Source;
import dev.superstep.language.blueprint.Blueprint;
import dev.superstep.language.blueprint.BlueprintDiff;
import dev.superstep.language.blueprint.BlueprintText;
import dev.superstep.language.bounds.Limits;
import dev.superstep.language.check.CheckPolicy;
import dev.superstep.language.rag.Capability;
import dev.superstep.node.NodeContext;
import dev.superstep.node.Question;
import dev.superstep.rag.Rag;
import dev.superstep.rag.RagGraph;
import dev.superstep.rag.RagProgram;
import dev.superstep.rag.error.InvalidFields;
import dev.superstep.rag.error.MayPassBudget;
import dev.superstep.registry.Registry;
import dev.superstep.schema.Description;
import dev.superstep.tool.Tool;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A tool by which an agent proposes a graph and runs it: the text is checked, compared with what
/// is registered, shown to a person, registered and run. All of it happens on the thread of the
/// agent, inside the task of the call: the graph is saved with the agent, spends from its budget
/// and is cancelled with it. A process that dies anywhere in between goes on from there: nothing is
/// registered without its approval, and nothing that is approved is asked about again.
///
/// ```java
/// var proposals = GraphProposals.of(registry, gate, library)
///     .allowing(Map.of(Capability.MODELS, Set.of("small"), Capability.TOOLS, Set.of("search")))
///     .limits(Limits.none().and(Measure.MODEL_CALLS, 20));
/// var agent = Agent.named("planner").model(model).tools(proposals.tool()).build();
/// ```
///
/// Immutable; each method returns a changed copy.
///
/// @param allowed what a text may use, by kind; a kind that is absent is not narrowed
/// @param limits what a run may take; a text that may take more is refused before a person is asked
public record GraphProposals(
    Registry registry,
    ReviewGate gate,
    GraphLibrary library,
    String by,
    Map<Capability, Set<String>> allowed,
    Limits limits) {
  /// The question that stands for one of the graph that was proposed; its payload is that one's.
  public static final Question<Json, Json> INNER =
      Question.of("rag-proposed-run", Json.class, Json.class);

  private static final String NAME = "propose_graph";
  private static final String DESCRIPTION =
      "Proposes a graph as .rag text. A person sees it first; if they approve, it runs on the input"
          + " and its output is returned. Findings about the text are returned as an error: repair"
          + " it and propose it again.";

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

  /// Proposals of texts that may use all that is registered, without limits.
  public static GraphProposals of(Registry registry, ReviewGate gate, GraphLibrary library) {
    return new GraphProposals(registry, gate, library, "agent", Map.of(), Limits.none());
  }

  /// Sets who is said to have written the texts.
  public GraphProposals by(String author) {
    return new GraphProposals(registry, gate, library, author, allowed, limits);
  }

  /// Allows only these names of the kinds that are given.
  public GraphProposals allowing(Map<Capability, Set<String>> names) {
    return new GraphProposals(registry, gate, library, by, names, limits);
  }

  /// Limits what a run may take.
  public GraphProposals limits(Limits most) {
    return new GraphProposals(registry, gate, library, by, allowed, most);
  }

  /// The tool.
  public Tool tool() {
    return Tool.of(NAME, DESCRIPTION, Arguments.class, new ProposalGraph(this)).withoutTimeout();
  }

  private CheckPolicy rules() {
    return CheckPolicy.generated(by).allowing(allowed);
  }

  /// A text as the agent gave it, checked again in each process.
  ///
  /// @param error what is wrong with it; null if nothing is
  private record Checked(RagProgram program, @Nullable RagGraph found, @Nullable String error) {
    RagGraph graph() {
      return Objects.requireNonNull(found);
    }

    List<Blueprint> blueprints() {
      return program.blueprints();
    }

    String hash() {
      return ReviewGate.hash(blueprints());
    }
  }

  private Checked checked(Arguments arguments, CheckPolicy rules) {
    var source = source(arguments);
    // The review is the next thing here; what runs is opened by the library, which asks the gate.
    var program = Rag.compile(source, registry, rules.withoutReview());
    if (!program.isValid()) return new Checked(program, null, program.text());
    try {
      var graph = program.graph().within(limits);
      var _ = graph.input(Json.parse(arguments.input()));
      return new Checked(program, graph, null);
    } catch (MayPassBudget | InvalidFields | IllegalStateException | MalformedJson e) {
      return new Checked(program, null, String.valueOf(e.getMessage()));
    }
  }

  private static Source source(Arguments arguments) {
    return Source.of("proposal.rag", arguments.text());
  }

  /// Shows a text to a person, and registers it if they approve it.
  ///
  /// @return why it does not run; empty if it is to
  Optional<String> review(Arguments arguments, NodeContext context) throws Exception {
    // Of the first attempt, so that a crash changes nothing of what is stored.
    var written = context.step("written", Instant.class, () -> context.clock().instant());
    var text = checked(arguments, rules().madeBy(context.run(), written));
    if (text.error() != null) return Optional.of(text.error());
    var hash = text.hash();
    // Questions are told apart by their order, so a task that asked once asks in each of its runs.
    boolean isKnown =
        context.step("approved", Boolean.class, () -> gate.approval(hash).isPresent());
    if (!isKnown) {
      var proposal = proposal(text.program(), library, by);
      var verdict = context.interrupt(Proposal.QUESTION, proposal);
      if (verdict.approval().isEmpty()) {
        return Optional.of("A person refused the graph. " + verdict.note());
      }
      var refusal = gate.refusal(verdict.approval().get(), hash);
      if (refusal.isPresent()) return Optional.of("Nothing was run: " + refusal.get());
      gate.keep(verdict.approval().get());
    }
    library.register(text.graph().blueprint().graph(), by, text.blueprints());
    return Optional.empty();
  }

  /// The graph of this very text, whatever was registered under its name since.
  RagGraph opened(Arguments arguments) {
    return library.open(source(arguments), registry, rules()).within(limits);
  }

  /// A text as a person is to see it.
  static Proposal proposal(RagProgram program, GraphLibrary library, String by) {
    var graph = program.graph();
    var name = graph.blueprint().graph();
    return new Proposal(
        name,
        ReviewGate.hash(program.blueprints()),
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

  static Blueprint find(List<Blueprint> graphs, String name) {
    return graphs.stream()
        .filter(each -> each.graph().equals(name))
        .findFirst()
        .orElseGet(() -> Blueprint.empty(name));
  }

  private static String shown(String graph, BlueprintDiff diff) {
    return "graph " + graph + "\n" + diff.text();
  }
}
