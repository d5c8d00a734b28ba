package dev.superstep.flow;

import dev.superstep.graph.Graph;
import dev.superstep.graph.RunOptions;
import dev.superstep.graph.RunStream;
import dev.superstep.graph.Subgraph;
import dev.superstep.json.Json;
import dev.superstep.json.SuperstepException;
import dev.superstep.model.ChatModel;
import dev.superstep.model.ModelResolver;
import dev.superstep.node.Question;
import dev.superstep.node.Update;
import dev.superstep.run.Answers;
import dev.superstep.run.Input;
import dev.superstep.run.Outcome;
import dev.superstep.run.Problem;
import dev.superstep.state.Channel;
import dev.superstep.state.State;
import dev.superstep.tool.Tool;
import dev.superstep.tool.ToolDependencies;
import dev.superstep.tool.ToolGate;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/// A typed pipeline: its input and output are records, and each step turns states into other
/// states. A state is a type; a step runs when the states that it takes are available.
///
/// ```java
/// Flow<Article, Post> publish =
///     Flow.named("publish", Article.class, Post.class)
///         .fork(Article.class, Topic.class, Draft.class, a -> Both.of(new Topic(a), new Draft(a)))
///         .agent(Draft.class, Summary.class, summarizer)
///         .work(Topic.class, Tags.class, (topic, context) -> tags(topic))
///         .join(Summary.class, Tags.class, Post.class, Post::new)
///         .build();
/// Post post = publish.run(article).output();
/// ```
///
/// A flow is a graph: [#graph]. It can run as a whole, with independent steps in parallel ([#run]),
/// or one bounded transition at a time, with a snapshot between any two ([#start]). Both do the
/// same work and have the same result.
///
/// Immutable, safe for many threads.
///
/// @param <I> the type of the input
/// @param <O> the type of the output
public final class Flow<I, O> {
  private final Shape<I, O> shape;
  private final FlowEnvironment setting;
  private final Lowering lowering;
  private final Graph graph;
  private final Channel<I, I> input;
  private final Channel<O, O> output;

  /// The definition of a flow. Immutable.
  record Shape<I, O>(
      String name,
      StateType<I> entry,
      StateType<O> exit,
      List<StepDefinition> parts,
      List<Question<?, ?>> questions,
      List<Problem> warnings) {
    Shape {
      parts = List.copyOf(parts);
      questions = List.copyOf(questions);
      warnings = List.copyOf(warnings);
    }
  }

  Flow(Shape<I, O> shape) {
    this(shape, FlowEnvironment.NONE);
  }

  private Flow(Shape<I, O> shape, FlowEnvironment setting) {
    this.shape = shape;
    this.setting = setting;
    this.lowering = new Lowering(shape, setting);
    this.graph = lowering.graph();
    this.input = lowering.channel(shape.entry());
    this.output = lowering.channel(shape.exit());
  }

  /// Begins a flow.
  ///
  /// @param input what a run begins with: a record, or another type with a codec and a schema
  /// @param output what it ends with, a type of its own
  /// @throws FlowError.BuildError if a type cannot be stored or has no schema
  public static <I, O> FlowBuilder<I, O> named(String name, Class<I> input, Class<O> output) {
    return new FlowBuilder<>(name, input, output);
  }

  /// A flow of one step, such as [FlowBuilder#each] runs for each item.
  public static <I, O> Flow<I, O> of(
      String name, Class<I> input, Class<O> output, StepFunction<I, O> work) {
    return named(name, input, output).work(input, output, work).build();
  }

  /// The name.
  public String name() {
    return shape.name();
  }

  /// The graph of the flow. Its topology exports as JSON, Mermaid and DOT.
  public Graph graph() {
    return graph;
  }

  /// The problems that do not prevent a run: places where it may get stuck, and the choices that
  /// lead there.
  public List<Problem> warnings() {
    return shape.warnings();
  }

  /// A text tree of the steps.
  public String outline() {
    return new FlowDrawing(shape).text();
  }

  /// Returns the flow with this model for all its agents; a test then needs no network.
  public Flow<I, O> withModel(ChatModel model) {
    return withModels(ModelResolver.of(model));
  }

  /// Returns the flow with these models for all its agents.
  public Flow<I, O> withModels(ModelResolver models) {
    return new Flow<>(shape, new FlowEnvironment(models, setting.injected(), setting.gate()));
  }

  /// Returns the flow with values that its steps and its agents' tools find by type:
  /// [FlowContext#get].
  public Flow<I, O> withInjected(ToolDependencies values) {
    return new Flow<>(shape, new FlowEnvironment(setting.models(), values, setting.gate()));
  }

  /// Returns the flow as part of another one.
  Flow<I, O> with(FlowEnvironment around) {
    var models = setting.models() == null ? around.models() : setting.models();
    var injected = setting.injected().or(around.injected());
    return new Flow<>(
        shape, new FlowEnvironment(models, injected, setting.gate().and(around.gate())));
  }

  /// Returns the flow with agents that may do no more than this gate allows.
  Flow<I, O> within(ToolGate gate) {
    var narrowed = setting.gate().and(gate);
    return new Flow<>(shape, new FlowEnvironment(setting.models(), setting.injected(), narrowed));
  }

  // --- Whole runs ---

  /// Runs the flow without saving anything.
  ///
  /// @throws FlowError if it fails
  /// @throws InterruptedException if the calling thread is interrupted, which cancels the run
  public FlowOutcome<O> run(I value) throws InterruptedException {
    return run(value, RunOptions.defaults());
  }

  /// Runs the flow as far as possible, with independent steps in parallel.
  ///
  /// @throws FlowError if it fails; a saved thread can be resumed
  /// @throws InterruptedException if the calling thread is interrupted, which cancels the run
  public FlowOutcome<O> run(I value, RunOptions options) throws InterruptedException {
    try {
      return outcome(graph.invoke(input(value), options), options);
    } catch (SuperstepException e) {
      throw errors().of(e);
    }
  }

  /// Resumes a thread: without answers after a failure or a crash, with answers after questions.
  ///
  /// @throws FlowError if it fails, or if an answer does not fit; nothing is stored then
  public FlowOutcome<O> resume(Answers answers, RunOptions options) throws InterruptedException {
    try {
      return outcome(graph.resume(answers, options), options);
    } catch (SuperstepException e) {
      throw errors().of(e);
    }
  }

  /// Like [#run], but streams events while it runs. [#outcome] reads the result.
  public RunStream stream(I value, RunOptions options) {
    return graph.stream(input(value), options);
  }

  /// The input of [#graph].
  public Input input(I value) {
    return Input.of(input, value);
  }

  /// The input of [#graph] that a JSON value says, such as that of a recorded case.
  ///
  /// @throws dev.superstep.json.MalformedJson if the value is not of the input's type
  public Input decodeInput(Json value) {
    return input(shape.entry().codec().decode(value));
  }

  /// The input of a run as JSON, from the state that the run began with.
  ///
  /// @throws dev.superstep.state.EmptyChannel if a step has taken the input since then
  public Json encodeInput(State first) {
    return shape.entry().codec().encode(first.get(input));
  }

  /// The output of a completed run as JSON, from its last state.
  ///
  /// @throws dev.superstep.state.EmptyChannel if the run has not completed
  public Json encodeOutput(State last) {
    return shape.exit().codec().encode(last.get(output));
  }

  /// Converts the outcome of a run of [#graph].
  ///
  /// @param options the options of that run
  public FlowOutcome<O> outcome(Outcome ended, RunOptions options) {
    return switch (ended) {
      case Outcome.Completed(var state) -> new FlowOutcome.Done<>(state.get(output));
      case Outcome.Interrupted _ ->
          new FlowOutcome.Suspended<>(PendingWaits.of(graph.state(options).orElseThrow()));
      case Outcome.Stopped(var reason, _) -> new FlowOutcome.Stopped<>(reason);
    };
  }

  // --- One transition at a time ---

  /// Starts a run that makes one transition at a time. It is stored in memory, and can be saved as
  /// a snapshot.
  public FlowRun<I, O> start(I value) throws InterruptedException {
    return start(value, RunOptions.defaults());
  }

  /// Starts such a run with options. With a thread and a checkpointer, each transition is saved
  /// there.
  public FlowRun<I, O> start(I value, RunOptions options) throws InterruptedException {
    return FlowRun.start(this, value, options);
  }

  /// Opens a saved thread for a run of single transitions, in any process.
  ///
  /// @param options with the thread and its checkpointer
  /// @throws FlowError.SnapLoadError if nothing is saved for the thread
  public FlowRun<I, O> reopen(RunOptions options) {
    return FlowRun.reopen(this, options);
  }

  /// Restores a run from a snapshot, in any process.
  ///
  /// @throws FlowError.SnapLoadError if it is not a snapshot of this flow as it is now; with a diff
  ///   if the definition has changed
  public FlowRun<I, O> fromSnapshot(FlowSnapshot snapshot) {
    return fromSnapshot(snapshot, RunOptions.defaults());
  }

  /// Restores a run from a snapshot, with options; a thread that they name must be new.
  public FlowRun<I, O> fromSnapshot(FlowSnapshot snapshot, RunOptions options) {
    return FlowRun.fromSnapshot(this, snapshot, options);
  }

  // --- As part of something else ---

  /// Makes the flow a node of another graph that reads one channel and writes another.
  public Subgraph<State> on(Channel<I, ?> from, Channel<?, O> to) {
    return Subgraph.of(
        graph, state -> input(state.get(from)), end -> Update.of(to, end.get(output)));
  }

  /// Makes the flow a node of another graph that is sent the flow's input.
  public Subgraph<I> sent(Function<O, Update> result) {
    return Subgraph.of(graph, this::input, end -> result.apply(end.get(output)));
  }

  /// Makes the flow a tool for models. In an agent, its run is part of the agent's run: finished
  /// steps are saved, and the agent waits for what the flow waits for. The flow's agents may do no
  /// more than the calling agent, but spend from their own budgets, unless the run has one ledger
  /// for all ([dev.superstep.agent.Agent#LEDGER]).
  ///
  /// @param tool its name, in snake case
  /// @param description tells a model when to use it
  /// @throws IllegalArgumentException if the input is no record
  public Tool asTool(String tool, String description) {
    if (!shape.entry().type().isRecord()) {
      throw new IllegalArgumentException(
          "the input of a tool must be a record, was " + shape.entry().type().getName());
    }
    var arguments = shape.entry().type().asSubclass(Record.class);
    return Tool.of(tool, description, arguments, new FlowTool<>(this));
  }

  /// Returns the steps, renamed for a flow that contains this one.
  List<StepDefinition> inlined() {
    UnaryOperator<String> names =
        key ->
            key.equals(shape.entry().key()) || key.equals(shape.exit().key())
                ? key
                : shape.entry().key() + StateType.INSIDE + key;
    return shape.parts().stream().map(part -> part.renamed(names)).toList();
  }

  List<Question<?, ?>> questions() {
    return shape.questions();
  }

  /// All states, each once.
  List<StateType<?>> states() {
    var all = new LinkedHashSet<StateType<?>>();
    for (var part : shape.parts()) {
      all.addAll(part.takes());
      all.addAll(part.gives());
    }
    return List.copyOf(all);
  }

  /// The channel that holds a state.
  <T> Channel<T, T> channel(StateType<T> state) {
    return lowering.channel(state);
  }

  Shape<I, O> shape() {
    return shape;
  }

  Channel<O, O> output() {
    return output;
  }

  FlowErrors errors() {
    return new FlowErrors(shape);
  }

  @Override
  public String toString() {
    return "flow " + name();
  }
}
