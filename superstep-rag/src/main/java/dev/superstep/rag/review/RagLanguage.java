package dev.superstep.rag.review;

import dev.superstep.json.SuperstepException;
import dev.superstep.language.Diagnostic;
import dev.superstep.language.Diagnostics;
import dev.superstep.language.Source;
import dev.superstep.language.blueprint.Blueprint;
import dev.superstep.language.blueprint.BlueprintDiff;
import dev.superstep.language.check.CheckPolicy;
import dev.superstep.language.rag.Capability;
import dev.superstep.language.rag.SyntaxLimits;
import dev.superstep.language.rag.SyntaxTree;
import dev.superstep.node.NodeContext;
import dev.superstep.node.Question;
import dev.superstep.rag.Rag;
import dev.superstep.rag.RagProgram;
import dev.superstep.rag.component.RagKind;
import dev.superstep.registry.Registry;
import dev.superstep.repl.grant.GraphLanguage;
import dev.superstep.tool.ToolGraph;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// The language `.rag` for the cells of sessions: they write texts, have them checked by the same
/// compiler as all others, and run what a person has approved.
///
/// ```java
/// var grants = Grants.of(registry).models("small").tools("search")
///     .language(RagLanguage.of(registry, gate, library));
/// ```
///
/// - **Names.** A text can name the models, tools, agents, graphs and stores that its session was
///   granted by their names in the same registry, and of other kinds what [#allowing] says.
/// - **Approval.** A text is registered with an approval of the host for exactly these graphs. If
///   there is none, and the run is on a stored thread, a person is asked by [Proposal#QUESTION].
///   Nothing that a script says is an approval.
///
/// A person who approves a text approves the tools in it: the gate of the session is for what its
/// cells call themselves. Immutable; each method returns a changed copy.
public final class RagLanguage implements GraphLanguage {
  private static final Set<Capability> GRANTED =
      Set.of(
          Capability.MODELS,
          Capability.TOOLS,
          Capability.AGENTS,
          Capability.GRAPHS,
          Capability.STORES);

  private final Registry registry;
  private final ReviewGate gate;
  private final GraphLibrary library;
  private final String by;
  private final Map<Capability, Set<String>> allowed;

  private RagLanguage(
      Registry registry,
      ReviewGate gate,
      GraphLibrary library,
      String by,
      Map<Capability, Set<String>> allowed) {
    this.registry = registry;
    this.gate = gate;
    this.library = library;
    this.by = by;
    this.allowed = Map.copyOf(allowed);
  }

  /// A language in which nothing may be named yet; a session adds what it was granted.
  public static RagLanguage of(Registry registry, ReviewGate gate, GraphLibrary library) {
    var none = new EnumMap<Capability, Set<String>>(Capability.class);
    for (var kind : Capability.values()) none.put(kind, Set.of());
    return new RagLanguage(registry, gate, library, "agent", none);
  }

  /// Allows the functions, routers, templates and the like that texts may name.
  ///
  /// @param names of kinds that sessions are not granted: no models, tools, agents, graphs, stores
  public RagLanguage allowing(Map<Capability, Set<String>> names) {
    for (var kind : names.keySet()) {
      if (GRANTED.contains(kind)) {
        throw new IllegalArgumentException(kind.word() + " are granted to the session itself");
      }
    }
    var all = new EnumMap<>(allowed);
    all.putAll(names);
    return new RagLanguage(registry, gate, library, by, all);
  }

  @Override
  @SuppressWarnings("ReferenceEquality") // a name means something in this very registry
  public RagLanguage within(Granted granted, String agent) {
    if (granted.registry().isPresent() && granted.registry().get() != registry) {
      throw new IllegalArgumentException("the session and its language have different registries");
    }
    var all = new EnumMap<>(allowed);
    all.put(Capability.MODELS, granted.models());
    all.put(Capability.TOOLS, granted.tools());
    all.put(Capability.AGENTS, granted.agents());
    all.put(Capability.GRAPHS, granted.graphs());
    all.put(Capability.STORES, granted.stores());
    return new RagLanguage(registry, gate, library, agent, all);
  }

  private CheckPolicy rules() {
    return CheckPolicy.generated(by).allowing(allowed);
  }

  private static Source source(Draft draft) {
    return Source.of(draft.name() + ".rag", draft.source());
  }

  /// The review is the next thing after this; what runs is opened by the library, which asks the
  /// gate.
  private RagProgram compiled(Draft draft, CheckPolicy rules) {
    return Rag.compile(source(draft), registry, rules.withoutReview());
  }

  // --- checking ---

  @Override
  public List<Finding> read(Draft draft) {
    var source = source(draft);
    var found = new Diagnostics();
    var _ = SyntaxTree.parse(source, SyntaxLimits.GENERATED, found);
    return findings(source, found.report());
  }

  @Override
  public List<Finding> validate(Draft draft) {
    var program = compiled(draft, rules());
    return findings(program.source(), program.report());
  }

  private static List<Finding> findings(Source source, Diagnostics.Report report) {
    var all = new ArrayList<Finding>();
    for (var one : report.shown()) all.add(finding(source, one));
    return all;
  }

  private static Finding finding(Source source, Diagnostic one) {
    var at = source.position(one.primary().span().start());
    var message = one.help().isEmpty() ? one.message() : one.message() + "; " + one.help();
    return new Finding(
        one.code(),
        one.severity().name().toLowerCase(Locale.ROOT),
        message,
        at.line(),
        at.column());
  }

  private RagProgram valid(Draft draft) {
    var program = compiled(draft, rules());
    if (program.isValid()) return program;
    throw new IllegalArgumentException(program.text());
  }

  @Override
  public String hash(Draft draft) {
    return ReviewGate.hash(valid(draft).blueprints());
  }

  @Override
  public List<String> diff(Draft before, Draft after) {
    var old = valid(before).blueprints();
    var now = valid(after).blueprints();
    var names = new LinkedHashSet<String>();
    for (var graph : old) names.add(graph.graph());
    for (var graph : now) names.add(graph.graph());
    var all = new ArrayList<String>();
    // Two drafts of one graph are compared as such, whatever they call it.
    if (old.size() == 1 && now.size() == 1) return lines(old.getFirst(), now.getFirst());
    for (var name : names) {
      all.addAll(lines(GraphProposals.find(old, name), GraphProposals.find(now, name)));
    }
    return all;
  }

  private static List<String> lines(Blueprint before, Blueprint after) {
    var diff = BlueprintDiff.of(before, after);
    if (diff.isEmpty()) return List.of();
    return diff.text().lines().filter(line -> !line.isBlank()).toList();
  }

  @Override
  public Optional<Draft> find(String name) {
    return library.find(name).map(entry -> new Draft(name, entry.text()));
  }

  // --- registering ---

  @Override
  public List<Question<?, ?>> questions() {
    var all = new ArrayList<Question<?, ?>>();
    all.add(Proposal.QUESTION);
    for (var name : allowed.getOrDefault(Capability.QUESTIONS, Set.of())) {
      registry.find(RagKind.QUESTION, name).filter(Question::isApproval).ifPresent(all::add);
    }
    return all;
  }

  @Override
  public Optional<String> register(Draft draft, String hash, String review, NodeContext context)
      throws Exception {
    // Of the first attempt, so that a crash changes nothing of what is stored.
    var written = context.step("written", Instant.class, () -> context.clock().instant());
    var program = compiled(draft, rules().madeBy(context.run(), written));
    if (!program.isValid()) return Optional.of(program.text());
    if (!ReviewGate.hash(program.blueprints()).equals(hash)) {
      return Optional.of("The text is another one than was compiled.");
    }
    if (program.outermost().size() != 1) {
      return Optional.of("The text must have one graph that no other graph of it uses.");
    }
    var graph = program.graph();
    if (!graph.blueprint().graph().equals(draft.name())) {
      return Optional.of(
          "The graph is called `%s`, so it is registered under that name."
              .formatted(graph.blueprint().graph()));
    }
    var refusal = approved(program, hash, review, context);
    if (refusal.isEmpty()) library.register(draft.name(), by, program.blueprints());
    return refusal;
  }

  /// Why a text is not approved; empty if it is.
  private Optional<String> approved(
      RagProgram program, String hash, String review, NodeContext context) throws Exception {
    // Questions are told apart by their order, so a task that asked once asks in each of its runs.
    boolean isKnown =
        context.step("approved", Boolean.class, () -> gate.approval(hash).isPresent());
    if (!review.isEmpty()) {
      boolean isOurs =
          gate.approval(hash).filter(own -> own.signature().equals(review)).isPresent();
      return isOurs ? Optional.empty() : Optional.of("No approval of this text has that id.");
    }
    if (isKnown) return Optional.empty();
    if (!context.isPersistent()) {
      return Optional.of(
          "Nobody has approved %s, and a run that is not on a stored thread can ask nobody."
              .formatted(hash));
    }
    var proposal = GraphProposals.proposal(program, library, by);
    var verdict = context.interrupt(Proposal.QUESTION, proposal);
    if (verdict.approval().isEmpty()) {
      return Optional.of(("A person refused the graph. " + verdict.note()).strip());
    }
    var refused = gate.refusal(verdict.approval().get(), hash);
    if (refused.isEmpty()) gate.keep(verdict.approval().get());
    return refused;
  }

  @Override
  public ToolGraph graph(String name) {
    try {
      return new ReviewedGraph(library.open(name, registry, rules()));
    } catch (SuperstepException e) {
      throw new IllegalArgumentException(e.getMessage(), e);
    }
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof RagLanguage language
        && registry.equals(language.registry)
        && gate.equals(language.gate)
        && library.equals(language.library)
        && allowed.equals(language.allowed);
  }

  @Override
  public int hashCode() {
    return allowed.hashCode();
  }

  @Override
  public String toString() {
    return "RagLanguage[" + registry + ", by " + by + "]";
  }
}
