package dev.superstep.rag.review;

import dev.superstep.language.Source;
import dev.superstep.language.blueprint.Blueprint;
import dev.superstep.language.blueprint.BlueprintText;
import dev.superstep.language.blueprint.Provenance;
import dev.superstep.language.check.Blueprints;
import dev.superstep.language.check.CheckPolicy;
import dev.superstep.language.check.Names;
import dev.superstep.rag.Rag;
import dev.superstep.rag.RagGraph;
import dev.superstep.rag.RagProgram;
import dev.superstep.rag.error.BindingFailed;
import dev.superstep.rag.error.ReviewRequired;
import dev.superstep.registry.Registry;
import dev.superstep.store.Namespace;
import dev.superstep.store.Store;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The texts that were approved and registered, by the name of the graph that runs. A text stays
/// here over restarts; it runs as long as its approval counts. Safe for many threads and processes.
public final class GraphLibrary {
  private static final Namespace GRAPHS = Namespace.of("superstep", "rag", "graphs");

  private final Store store;
  private final ReviewGate gate;

  public GraphLibrary(Store store, ReviewGate gate) {
    this.store = store;
    this.gate = gate;
  }

  /// A registered text. Immutable.
  ///
  /// @param graph the graph that runs
  /// @param by who wrote it
  /// @param approver who approved it
  /// @param run the run that it was written in, if it was in one
  /// @param at when it was written, by the clock of that run
  /// @param content SHA-256 of what was written, comments included
  public record Entry(
      String graph,
      String hash,
      String by,
      String approver,
      String text,
      Optional<String> run,
      Optional<Instant> at,
      Optional<String> content) {
    /// Where it comes from, in one line for people.
    public String origin() {
      return provenance().text();
    }

    Provenance provenance() {
      return new Provenance(Provenance.generated(by).origin(), content, run, at, Map.of());
    }
  }

  /// Registers the graphs of a text under the name of the one that runs, in place of what was
  /// there. Registering the same twice changes nothing.
  ///
  /// @throws ReviewRequired if nobody has approved exactly these
  public void register(String graph, String by, List<Blueprint> graphs) {
    var hash = ReviewGate.hash(graphs);
    var approval = gate.require(hash);
    if (find(graph).filter(entry -> entry.hash().equals(hash)).isPresent()) return;
    var from = graphs.getFirst().provenance();
    var entry =
        new Entry(
            graph,
            hash,
            by,
            approval.approver(),
            BlueprintText.of(graphs),
            from.flatMap(Provenance::parentRun),
            from.flatMap(Provenance::at),
            from.flatMap(Provenance::content));
    store.put(GRAPHS, graph, entry);
  }

  /// The text that is registered under a name.
  public Optional<Entry> find(String graph) {
    return store.get(GRAPHS, graph, Entry.class);
  }

  /// The graphs that are registered under a name; none if there are none.
  public List<Blueprint> blueprints(String graph) {
    return find(graph).map(entry -> read(entry)).orElse(List.of());
  }

  private static List<Blueprint> read(Entry entry) {
    Names unknown = _ -> Optional.empty();
    var source = Source.of(entry.graph() + ".rag", entry.text());
    var policy = CheckPolicy.generated(entry.by()).from(entry.provenance()).withoutReview();
    return Blueprints.compile(source, unknown, policy).blueprints();
  }

  /// Binds a registered text, so that it runs. What it may use is looked up and checked again.
  ///
  /// @param rules what the host allows now
  /// @throws ReviewRequired if it is not there, or its approval does not count any more
  /// @throws dev.superstep.rag.error.BindingFailed if the registry does not have all of it
  public RagGraph open(String graph, Registry registry, CheckPolicy rules) {
    var entry = find(graph).orElseThrow(() -> new ReviewRequired(graph, "it is not registered"));
    var graphs = read(entry);
    // The text in the store is what counts, not the hash beside it.
    gate.require(ReviewGate.hash(graphs));
    var source = Source.of(graph + ".rag", entry.text());
    var policy = gate.policy(rules.from(entry.provenance()), graphs);
    return bound(graph, source, registry, policy).graph(graph).orElseThrow();
  }

  /// Binds a text that was approved, whatever is registered under its name now.
  ///
  /// @throws ReviewRequired if its approval does not count any more
  RagGraph open(Source source, Registry registry, CheckPolicy rules) {
    Names unknown = _ -> Optional.empty();
    var graphs = Blueprints.compile(source, unknown, rules.withoutReview()).blueprints();
    gate.require(ReviewGate.hash(graphs));
    return bound(source.name(), source, registry, gate.policy(rules, graphs)).graph();
  }

  private static RagProgram bound(
      String name, Source source, Registry registry, CheckPolicy approved) {
    var program = Rag.compile(source, registry, approved);
    if (program.isValid()) return program;
    throw new BindingFailed(name, program.report().shown());
  }

  @Override
  public String toString() {
    return "GraphLibrary[" + store + "]";
  }
}
