package dev.superstep.graph.internal.kernel;

import dev.superstep.node.Command;
import dev.superstep.node.EffectConflict;
import dev.superstep.node.Question;
import dev.superstep.run.Breakpoints;
import dev.superstep.run.Problem;
import dev.superstep.state.Channel;
import dev.superstep.topology.Topology;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// A graph as the engine runs it, behind `Graph`. Immutable and safe for many threads.
public final class CompiledGraph {
  private final List<Problem> warnings;
  private final Topology topology;
  private final String addition;
  private final ChannelIndex index;
  private final ExecutionGraph executionGraph;
  private final Map<NodeSpec, SubgraphNode> subgraphs;
  private final @Nullable SharedWrites sharedWrites;
  private final Kernel kernel;
  private final ResultCheck results;
  private final NestingInfo nesting;
  private final Breakpoints breakpoints;
  private final boolean pausesSomewhere;
  private final Map<String, Question<?, ?>> questions = new HashMap<>();
  private final @Nullable Integer stepLimit;
  private @Nullable String shape;
  private @Nullable String hash;

  public CompiledGraph(GraphDefinition definition, List<Problem> warnings) {
    this.warnings = warnings;
    this.topology = definition.topology();
    this.addition = "";
    this.index = new ChannelIndex(definition.name, definition.channels);
    this.executionGraph = new ExecutionGraph(definition);
    declareAccess(definition, index, executionGraph);
    var triggers = new Triggers(definition.triggers, executionGraph, index);
    this.sharedWrites = null;
    this.kernel = new Kernel(definition.name, executionGraph, triggers, index);
    this.results = new ResultCheck(executionGraph, index);
    this.subgraphs = subgraphs(definition, executionGraph);
    this.nesting = nesting(subgraphs.values());
    this.breakpoints = definition.breakpoints;
    this.stepLimit = definition.stepLimit;
    this.pausesSomewhere =
        !breakpoints.isEmpty() || definition.graphs().anyMatch(CompiledGraph::pausesSomewhere);
    for (var question : definition.allQuestions()) questions.put(question.name(), question);
  }

  /// Gives each node that declares channels its access.
  private static void declareAccess(
      GraphDefinition definition, ChannelIndex index, ExecutionGraph executionGraph) {
    for (var node : executionGraph.nodes()) {
      var reads = definition.reads.get(node.name());
      var writes = definition.writes.get(node.name());
      if (reads != null || writes != null) node.access = ChannelAccess.of(reads, writes, index);
    }
  }

  private static Map<NodeSpec, SubgraphNode> subgraphs(
      GraphDefinition definition, ExecutionGraph executionGraph) {
    var subgraphs = new HashMap<NodeSpec, SubgraphNode>();
    for (var part : definition.nodes) {
      if (part.subgraph().isEmpty()) continue;
      var node = Objects.requireNonNull(executionGraph.node(part.name()));
      subgraphs.put(node, SubgraphNode.of(part.subgraph().get(), definition.channels));
    }
    return subgraphs;
  }

  private static NestingInfo nesting(Collection<SubgraphNode> subgraphs) {
    var all = NestingInfo.FLAT;
    for (var inside : subgraphs) {
      var spec = inside.subgraph();
      all = all.with(inside.graph().nesting(), spec.remembers(), spec.isSpecial());
    }
    return all;
  }

  private CompiledGraph(
      CompiledGraph same,
      ChannelIndex index,
      @Nullable SharedWrites sharedWrites,
      String addition) {
    this.warnings = same.warnings;
    this.breakpoints = same.breakpoints;
    this.stepLimit = same.stepLimit;
    this.pausesSomewhere = same.pausesSomewhere;
    this.topology = same.topology;
    this.addition = addition;
    this.index = index;
    this.executionGraph = same.executionGraph;
    this.subgraphs = same.subgraphs;
    this.sharedWrites = sharedWrites;
    this.kernel = same.kernel.on(index, sharedWrites);
    this.results = new ResultCheck(executionGraph, index);
    this.nesting = same.nesting;
    this.questions.putAll(same.questions);
  }

  /// Returns a copy with channels of the engine's own.
  ///
  /// @param addition to the identity of its shape
  CompiledGraph with(ChannelIndex other, @Nullable SharedWrites shared, String addition) {
    return new CompiledGraph(this, other, shared, addition);
  }

  /// The graph's own step limit, or null if it has none.
  public @Nullable Integer stepLimit() {
    return stepLimit;
  }

  /// The properties of the subgraphs of this graph.
  public NestingInfo nesting() {
    return nesting;
  }

  /// The graph's name.
  public String name() {
    return topology.graph();
  }

  /// The graph's shape as data; exports as JSON, as a Mermaid flowchart and as DOT.
  public Topology topology() {
    return topology;
  }

  /// The oddities of the definition, with which the graph runs all the same: see
  /// [dev.superstep.graph.GraphBuilder#report].
  public List<Problem> warnings() {
    return warnings;
  }

  /// The identity of the shape; made on first use, since only saved runs need it.
  public String hash() {
    var made = hash;
    if (made == null) hash = made = hash(topology);
    return made;
  }

  /// The identity that this graph would have with another topology.
  public String hash(Topology other) {
    return other.hash() + addition;
  }

  /// The topology as JSON text, made when first asked for.
  public String shape() {
    var made = shape;
    if (made == null) shape = made = topology.json().text();
    return made;
  }

  public @Nullable Question<?, ?> question(String name) {
    var own = questions.get(name);
    return own == null && name.equals(EffectConflict.QUESTION.name())
        ? EffectConflict.QUESTION
        : own;
  }

  /// The questions of this graph and of all inside it.
  public Collection<Question<?, ?>> questions() {
    return questions.values();
  }

  /// Refuses a result that cannot be followed.
  public void check(NodeSpec node, TaskResult.Finished result) {
    results.check(node, result);
  }

  /// Refuses writes from inside a node's subgraph that the node may not make.
  public void checkWrites(NodeSpec node, TaskResult end) {
    if (end instanceof TaskResult.Finished finished) results.checkWrites(node, finished.writes());
  }

  /// Refuses a piece of what a node may not write.
  public void checkWrite(NodeSpec node, Channel<?, ?> channel) {
    results.checkWrite(node, channel);
  }

  /// Refuses a command from inside a node's subgraph that cannot be followed.
  void checkHandOff(NodeSpec node, String from, Command command) {
    results.checkHandOff(node, from, command);
  }

  /// Where every run of this very graph pauses.
  public Breakpoints breakpoints() {
    return breakpoints;
  }

  /// Returns whether this graph or one inside it has a breakpoint.
  public boolean pausesSomewhere() {
    return pausesSomewhere;
  }

  public ChannelIndex index() {
    return index;
  }

  /// The graph that a node of this one is; null if it is none.
  public @Nullable SubgraphNode subgraph(NodeSpec node) {
    return subgraphs.get(node);
  }

  /// The writes to channels that it shares with an outer graph; null if it shares none.
  @Nullable SharedWrites sharedWrites() {
    return sharedWrites;
  }

  public ExecutionGraph executionGraph() {
    return executionGraph;
  }

  public Kernel kernel() {
    return kernel;
  }

  @Override
  public String toString() {
    return "graph " + name();
  }
}
