package dev.superstep.graph;

import dev.superstep.checkpoint.Checkpoint;
import dev.superstep.json.SuperstepException;
import dev.superstep.state.Channel;
import dev.superstep.topology.Topology;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A compiled graph: what runs, and what follows what. Immutable and safe for many threads; it may
/// serve any number of runs at once, since everything that belongs to a run lives in the run.
///
/// A run goes in supersteps. Each superstep runs all nodes that are due, in parallel, on one
/// snapshot of the state; then their writes are folded, in task order, into the next snapshot. With
/// a thread and a checkpointer, what finished is saved when it finished, so that a run can go on
/// after a crash or a question, here or in another process.
public final class Graph {
  /// Where every run begins.
  public static final String START = Topology.START;

  /// Where every path ends.
  public static final String END = Topology.END;

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

  Graph(GraphDefinition parts, List<Problem> warnings) {
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
    this.pausesSomewhere = !pauses.isEmpty() || parts.graphs().anyMatch(Graph::pausesSomewhere);
    for (var question : parts.allQuestions()) questions.put(question.name(), question);
  }

  private Graph(Graph same, ChannelIndex layout, String addition) {
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

  /// The same graph with channels of the engine's own.
  ///
  /// @param addition to the identity of its shape
  Graph with(ChannelIndex other, String addition) {
    return new Graph(this, other, addition);
  }

  /// How many supersteps a run of it may take, if it says so itself.
  @Nullable Integer stepLimit() {
    return stepLimit;
  }

  /// What is inside of this graph.
  NestingInfo depths() {
    return depths;
  }

  /// Begins the definition of a graph.
  public static GraphBuilder named(String name) {
    return new GraphBuilder(name);
  }

  /// The graph's name.
  public String name() {
    return topology.graph();
  }

  /// The graph's shape as data; exports as JSON, as a Mermaid flowchart and as DOT.
  public Topology topology() {
    return topology;
  }

  /// What is odd about the definition, though the graph runs: see [GraphBuilder#report].
  public List<Problem> warnings() {
    return warnings;
  }

  /// Runs the graph and keeps nothing.
  ///
  /// @throws InterruptedException if the calling thread is interrupted, which cancels the run
  public Outcome invoke(Input input) throws InterruptedException {
    return invoke(input, RunOptions.defaults());
  }

  /// Runs the graph on new input, on the calling thread. On a thread that has run before, the input
  /// is folded into the state that it left.
  ///
  /// @throws ThreadError if the thread has work left; [#resume] it first
  /// @throws RunRefused if the run's [Drain] was started
  /// @throws SuperstepException if the run fails; what finished is kept
  /// @throws InterruptedException if the calling thread is interrupted, which cancels the run
  public Outcome invoke(Input input, RunOptions options) throws InterruptedException {
    return new Session(this, options).invoke(input);
  }

  /// Lets a thread go on from where it stands: with answers to its questions, or after a crash or a
  /// failure. Tasks that had finished do not run again. A thread with nothing left to do is
  /// completed at once.
  ///
  /// @throws ThreadError if nothing is kept of the thread
  /// @throws RunRefused if the run's [Drain] was started
  /// @throws AnswerRejected if an answer does not fit; nothing is stored then
  /// @throws SuperstepException if the run fails; what finished is kept
  /// @throws InterruptedException if the calling thread is interrupted, which cancels the run
  public Outcome resume(Answers answers, RunOptions options) throws InterruptedException {
    return new Session(this, options).resume(answers);
  }

  /// Like [#invoke], on a thread of its own, with the events as they happen.
  public RunStream stream(Input input, RunOptions options) {
    return Session.stream(this, options, session -> session.invoke(input));
  }

  /// Like [#resume], on a thread of its own, with the events as they happen.
  public RunStream streamResume(Answers answers, RunOptions options) {
    return Session.stream(this, options, session -> session.resume(answers));
  }

  /// How a thread stands, or empty if nothing is kept of it. Runs nothing.
  public Optional<ThreadState> state(RunOptions options) {
    return new Session(this, options).state();
  }

  /// How a thread stood at one of its checkpoints, or empty if it has no such. Its questions are
  /// those that are still open of it.
  public Optional<ThreadState> state(String checkpoint, RunOptions options) {
    return new Session(this, options).state(checkpoint);
  }

  /// The checkpoints of a thread, newest first. Costs O(limit), whatever the length of the history.
  ///
  /// @param before the id of the last one seen, or empty to begin with the newest
  public List<Checkpoint> history(Optional<String> before, int limit, RunOptions options) {
    return new Session(this, options).history(before, limit);
  }

  /// Changes the state of a thread that no run is at work on. All edits are folded as one
  /// superstep; what else was due stays due, and what of it has finished stays finished.
  ///
  /// @return how the thread stands then
  /// @throws ThreadError if nothing is kept of the thread
  /// @throws UnknownEdit if an edit names no node of the graph
  /// @throws dev.superstep.checkpoint.ThreadBusy if a run is at work on the thread
  public ThreadState update(RunOptions options, StateUpdate... edits) {
    return new Session(this, options).update(List.of(edits));
  }

  /// The identity of the shape; made when first asked for, since only what is kept needs it.
  String hash() {
    var made = hash;
    if (made == null) hash = made = hash(topology);
    return made;
  }

  /// The identity that this graph would have with another topology.
  String hash(Topology other) {
    return other.hash() + addition;
  }

  /// The topology as JSON text, made when first asked for.
  String shape() {
    var made = shape;
    if (made == null) shape = made = topology.json().text();
    return made;
  }

  @Nullable Question<?, ?> question(String name) {
    return questions.get(name);
  }

  /// The questions of this graph and of all inside it.
  Collection<Question<?, ?>> questions() {
    return questions.values();
  }

  /// Refuses a result that cannot be followed.
  void check(NodeSpec node, TaskResult.Finished result) {
    results.check(node, result);
  }

  /// Refuses writes that come from inside of a node and are not its own to make.
  void checkWrites(NodeSpec node, TaskResult end) {
    if (end instanceof TaskResult.Finished finished) results.checkWrites(node, finished.writes());
  }

  /// Refuses a piece of what a node may not write.
  void checkWrite(NodeSpec node, Channel<?, ?> channel) {
    results.checkWrite(node, channel);
  }

  /// Refuses a command that comes from inside of a node and cannot be followed.
  void checkHandOff(NodeSpec node, String from, Command command) {
    results.checkHandOff(node, from, command);
  }

  /// Where every run of this very graph pauses.
  Breakpoints breakpoints() {
    return pauses;
  }

  /// Whether this graph or one inside it is to pause.
  boolean pausesSomewhere() {
    return pausesSomewhere;
  }

  ChannelIndex layout() {
    return layout;
  }

  ExecutionGraph wiring() {
    return wiring;
  }

  Kernel kernel() {
    return kernel;
  }

  @Override
  public String toString() {
    return "graph " + name();
  }
}
