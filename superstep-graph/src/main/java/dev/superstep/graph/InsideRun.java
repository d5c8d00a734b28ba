package dev.superstep.graph;

import dev.superstep.checkpoint.Interrupt;
import dev.superstep.checkpoint.Memory;
import dev.superstep.graph.internal.kernel.EngineContext;
import dev.superstep.graph.internal.kernel.Snapshot;
import dev.superstep.graph.internal.kernel.SubgraphNode;
import dev.superstep.json.Json;
import dev.superstep.json.MalformedJson;
import dev.superstep.node.ContextKey;
import dev.superstep.node.NodeContext;
import dev.superstep.node.NodeResult;
import dev.superstep.run.Input;
import dev.superstep.state.State;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// A run of a graph inside the code of a node, for nodes that find out while they run which graphs
/// they need, and how many. It is saved like a [Subgraph]: after a crash or a failure, the node
/// runs again from its start, and the graph continues where it was. What it asks of people is asked
/// by the whole run. Several may run at once in the forks of a [Parallel].
///
/// ```java
/// var end = InsideRun.of("draft", writer, () -> input).run(context).state();
/// ```
///
/// The graphs around do not know of it beforehand: its state is not shown inside that of the
/// thread, and whoever builds the node's graph declares the [questions][Graph#questions] that
/// people may be asked. Immutable; methods return a changed copy.
public final class InsideRun {
  private final String key;
  private final Graph graph;
  private final Supplier<Input> input;
  private final Map<ContextKey<?>, Object> given;
  private final @Nullable Line line;
  private final @Nullable Map<String, Json> answers;

  /// A line of runs of which each continues from the state in which the one before ended. Whoever
  /// has several keeps them apart. Immutable.
  ///
  /// @param begun the [End#begun] of a run that waits for answers; empty if a new one begins
  /// @param from the memory from which that run began, or the new one begins
  public record Line(String begun, Optional<Memory> from) {
    private static final Line NONE = new Line("", Optional.empty());

    /// The first run of a line.
    public static Line first() {
      return NONE;
    }
  }

  /// The end of a run, or that it waits. Immutable.
  ///
  /// @param state the final state; null if it waits
  /// @param asked what the node itself is to answer
  /// @param begun names the run
  /// @param left the memory that it left, if it is one of a line
  public record End(
      @Nullable State state, List<Interrupt> asked, String begun, Optional<Memory> left) {
    public End {
      asked = List.copyOf(asked);
    }
  }

  private InsideRun(
      String key,
      Graph graph,
      Supplier<Input> input,
      Map<ContextKey<?>, Object> given,
      @Nullable Line line,
      @Nullable Map<String, Json> answers) {
    this.key = key;
    this.graph = graph;
    this.input = input;
    this.given = given;
    this.line = line;
    this.answers = answers;
  }

  /// A run that people answer.
  ///
  /// @param key names it among those of the node, or of the step or fork that it is in
  /// @param input made only when it begins
  public static InsideRun of(String key, Graph graph, Supplier<Input> input) {
    return new InsideRun(key, graph, input, Map.of(), null, null);
  }

  /// Gives its nodes a value in place of what the caller of the run gave.
  public <T> InsideRun with(ContextKey<T> name, T value) {
    var more = new LinkedHashMap<>(given);
    more.put(name, value);
    return new InsideRun(key, graph, input, more, line, answers);
  }

  /// Makes it one of a line. It must be the same whenever the node runs.
  public InsideRun on(Line of) {
    return new InsideRun(key, graph, input, given, of, answers);
  }

  /// Has the node itself answer what need not be answered by people: questions that are no
  /// approvals, and that the graph around does not declare. If there are only such, the run ends
  /// with them: [End#asked].
  ///
  /// @param known all answers that were given to it so far, by the ids of the questions
  public InsideRun answered(Map<String, Json> known) {
    return new InsideRun(key, graph, input, given, line, Map.copyOf(known));
  }

  /// Why an answer cannot be given, if it cannot.
  ///
  /// @param name of the question
  public Optional<String> refusal(String name, Json answer) {
    var question = graph.compiled().question(name);
    if (question == null) return Optional.of("the graph has no question `" + name + "`");
    try {
      return question.refusal(answer);
    } catch (MalformedJson e) {
      return Optional.of(String.valueOf(e.getMessage()));
    }
  }

  /// The id of the task as which it runs: the same in every process.
  ///
  /// @param context that of the node, or of the fork in which it runs
  public String task(NodeContext context) {
    if (line != null && !line.begun().isEmpty()) return line.begun();
    return engine(context).insideTask(key);
  }

  /// Runs it, or resumes it.
  ///
  /// @param context that of the node, or of the fork in which it runs
  /// @throws dev.superstep.error.NodeFailed if one of its nodes fails
  /// @throws InterruptedException if it is cancelled
  public End run(NodeContext context) throws InterruptedException {
    var end = new AtomicReference<@Nullable State>();
    var node =
        SubgraphNode.inside(
            graph.compiled(),
            line != null,
            state -> {
              end.set(state);
              return NodeResult.nothing();
            });
    var at = line == null ? Line.NONE : line;
    var known = answers == null ? Map.<String, Json>of() : answers;
    var nested =
        new EngineContext.NestedCall(
            input, Snapshot.initial(graph.compiled().index()), node, given);
    var call =
        new EngineContext.InsideCall(key, at.begun(), at.from(), nested, known, answers != null);
    var ended = engine(context).inside(call);
    return new End(end.get(), ended.asked(), ended.task(), ended.left());
  }

  private static EngineContext engine(NodeContext context) {
    if (context instanceof EngineContext own) return own;
    throw new IllegalArgumentException(
        "context must be the one that the node or the item was given, was a "
            + context.getClass().getName());
  }

  @Override
  public String toString() {
    return "InsideRun[" + graph.name() + ", key " + key + "]";
  }
}
