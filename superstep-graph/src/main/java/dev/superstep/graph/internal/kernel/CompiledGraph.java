package dev.superstep.graph.internal.kernel;

import dev.superstep.node.Command;
import dev.superstep.node.Question;
import dev.superstep.run.Breakpoints;
import dev.superstep.run.Problem;
import dev.superstep.state.Channel;
import dev.superstep.topology.Topology;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A graph as the engine runs it, behind `Graph`. Immutable and safe for many threads.
public final class CompiledGraph {
  private final List<Problem> warnings;
  private final Topology topology;
  private final String addition;
  private final ChannelIndex layout;
  private final ExecutionGraph wiring;
  private final Kernel kernel;
  private final ResultCheck results;
  private final NestingInfo depths;
  private final Breakpoints pauses;
  private final boolean pausesSomewhere;
  private final Map<String, Question<?, ?>> questions = new HashMap<>();
  private final @Nullable Integer stepLimit;
  private @Nullable String shape;
  private @Nullable String hash;

  public CompiledGraph(GraphDefinition parts, List<Problem> warnings) {
    this.warnings = warnings;
    this.topology = parts.topology();
    this.addition = "";
    this.layout = new ChannelIndex(parts.name, parts.channels);
    this.wiring = new ExecutionGraph(parts);
    ChannelAccess.declare(parts, layout, wiring);
    var triggers = new Triggers(parts.triggers, wiring, layout);
    this.kernel = new Kernel(parts.name, wiring, triggers, layout);
    this.results = new ResultCheck(wiring, layout);
    this.depths = NestingInfo.of(wiring);
    this.pauses = parts.pauses;
    this.stepLimit = parts.stepLimit;
    this.pausesSomewhere =
        !pauses.isEmpty() || parts.graphs().anyMatch(CompiledGraph::pausesSomewhere);
    for (var question : parts.allQuestions()) questions.put(question.name(), question);
  }

  private CompiledGraph(CompiledGraph same, ChannelIndex layout, String addition) {
    this.warnings = same.warnings;
    this.pauses = same.pauses;
    this.stepLimit = same.stepLimit;
    this.pausesSomewhere = same.pausesSomewhere;
    this.topology = same.topology;
    this.addition = addition;
    this.layout = layout;
    this.wiring = same.wiring;
    this.kernel = same.kernel.on(layout);
    this.results = new ResultCheck(wiring, layout);
    this.depths = same.depths;
    this.questions.putAll(same.questions);
  }

  /// Returns a copy with channels of the engine's own.
  ///
  /// @param addition to the identity of its shape
  CompiledGraph with(ChannelIndex other, String addition) {
    return new CompiledGraph(this, other, addition);
  }

  /// The graph's own step limit, or null if it has none.
  public @Nullable Integer stepLimit() {
    return stepLimit;
  }

  /// The properties of the subgraphs of this graph.
  public NestingInfo depths() {
    return depths;
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
    return questions.get(name);
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
    return pauses;
  }

  /// Returns whether this graph or one inside it has a breakpoint.
  public boolean pausesSomewhere() {
    return pausesSomewhere;
  }

  public ChannelIndex layout() {
    return layout;
  }

  public ExecutionGraph wiring() {
    return wiring;
  }

  public Kernel kernel() {
    return kernel;
  }

  @Override
  public String toString() {
    return "graph " + name();
  }
}
