package dev.superstep.graph;

import dev.superstep.checkpoint.Checkpoint;
import dev.superstep.graph.internal.kernel.CompiledGraph;
import dev.superstep.graph.internal.kernel.WriteCompletion;
import dev.superstep.graph.internal.run.Session;
import dev.superstep.graph.internal.run.SubgraphHistory;
import dev.superstep.json.SuperstepException;
import dev.superstep.node.Question;
import dev.superstep.run.Answers;
import dev.superstep.run.Input;
import dev.superstep.run.Outcome;
import dev.superstep.run.Problem;
import dev.superstep.run.StateUpdate;
import dev.superstep.run.ThreadState;
import dev.superstep.topology.Topology;
import java.util.List;
import java.util.Optional;

/// A compiled graph: what runs, and what follows what. Immutable and safe for many threads; it may
/// serve any number of runs at once, since everything that belongs to a run lives in the run.
///
/// A run goes in supersteps. Each superstep runs all nodes that are due, in parallel, on one
/// snapshot of the state; then their writes are folded, in task order, into the next snapshot. With
/// a thread and a checkpointer, each result is saved when its task finishes, so that the run can be
/// resumed after a crash or a question, here or in another process.
public final class Graph {
  /// Where every run begins.
  public static final String START = Topology.START;

  /// Where every path ends.
  public static final String END = Topology.END;

  private final CompiledGraph compiled;
  private final GraphParts parts;

  Graph(CompiledGraph compiled, GraphParts parts) {
    this.compiled = compiled;
    this.parts = parts;
  }

  /// The parts that the graph was made of, for tools that write it down in another form.
  public GraphParts parts() {
    return parts;
  }

  /// The graph as the engine runs it.
  CompiledGraph compiled() {
    return compiled;
  }

  /// Begins the definition of a graph.
  public static GraphBuilder named(String name) {
    return new GraphBuilder(name);
  }

  /// The graph's name.
  public String name() {
    return compiled.name();
  }

  /// The graph's shape as data; exports as JSON, as a Mermaid flowchart and as DOT.
  public Topology topology() {
    return compiled.topology();
  }

  /// The id that something without one gets when a task writes it to a channel of items with ids,
  /// such as a message to a conversation. So pieces of it can be shown under its id before it is
  /// whole.
  ///
  /// @param task as in events
  /// @param place among what the task writes without an id, from 0
  public static String idOfWrite(String task, int place) {
    return WriteCompletion.idOf(task, place);
  }

  /// The questions that its nodes may ask, and those of graphs inside it.
  public List<Question<?, ?>> questions() {
    return List.copyOf(compiled.questions());
  }

  /// The oddities of the definition, with which the graph runs all the same: see
  /// [GraphBuilder#report].
  public List<Problem> warnings() {
    return compiled.warnings();
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
  /// @throws dev.superstep.error.ThreadError if the thread has work left; [#resume] it first
  /// @throws dev.superstep.error.RunRefused if the run's [Drain] was started
  /// @throws SuperstepException if the run fails; finished work is saved
  /// @throws InterruptedException if the calling thread is interrupted, which cancels the run
  public Outcome invoke(Input input, RunOptions options) throws InterruptedException {
    return new Session(compiled, options.settings()).invoke(input);
  }

  /// Resumes a thread: with answers to its questions, or after a crash or a failure. Tasks that had
  /// finished do not run again. A thread with nothing left to do is completed at once.
  ///
  /// @throws dev.superstep.error.ThreadError if nothing is stored of the thread
  /// @throws dev.superstep.error.RunRefused if the run's [Drain] was started
  /// @throws dev.superstep.error.AnswerRejected if an answer does not fit; nothing is stored then
  /// @throws SuperstepException if the run fails; finished work is saved
  /// @throws InterruptedException if the calling thread is interrupted, which cancels the run
  public Outcome resume(Answers answers, RunOptions options) throws InterruptedException {
    return new Session(compiled, options.settings()).resume(answers);
  }

  /// Like [#invoke], on a thread of its own, with the events as they happen.
  public RunStream stream(Input input, RunOptions options) {
    return stream(options, session -> session.invoke(input));
  }

  /// Like [#resume], on a thread of its own, with the events as they happen.
  public RunStream streamResume(Answers answers, RunOptions options) {
    return stream(options, session -> session.resume(answers));
  }

  private RunStream stream(RunOptions options, Session.Use use) {
    var settings = options.settings();
    return RunStream.start(
        settings::carried,
        settings.backlog(),
        settings.deadline() != null,
        (listener, control) ->
            Session.controlled(compiled, settings.withListener(listener), control, use));
  }

  /// Returns the state of a thread, or empty if nothing of it is stored. Runs nothing.
  public Optional<ThreadState> state(RunOptions options) {
    return new Session(compiled, options.settings()).state();
  }

  /// Returns the state of a thread at one of its checkpoints, or empty if there is no such
  /// checkpoint. Its questions are those that are still open.
  public Optional<ThreadState> state(String checkpoint, RunOptions options) {
    return new Session(compiled, options.settings()).state(checkpoint);
  }

  /// The checkpoints of a thread, newest first. Costs O(limit), whatever the length of the history.
  ///
  /// @param before the id of the last one seen, or empty to begin with the newest
  public List<Checkpoint> history(Optional<String> before, int limit, RunOptions options) {
    return new Session(compiled, options.settings()).history(before, limit);
  }

  /// The subgraph of a task of a thread, with checkpoints of its own.
  ///
  /// @param checkpoint of the thread, from which the task runs: [ThreadState#checkpoint]
  /// @param task its name, as `research`, or `each#7` for one that was sent: see
  ///   [ThreadState.DueTask]
  public SubgraphThread subgraph(String checkpoint, String task, RunOptions options) {
    var place = new SubgraphHistory.Place(checkpoint, task);
    return new SubgraphThread(new SubgraphHistory(compiled, options.settings(), List.of(place)));
  }

  /// Changes the state of a thread that no run is at work on. All updates are folded as one
  /// superstep; other due tasks stay due, and those of them that have finished stay finished. A
  /// thread of which nothing is stored begins with them. With [RunOptions#discardPending] nothing
  /// is due afterwards, and there may be no update.
  ///
  /// @return the state of the thread afterwards
  /// @throws dev.superstep.error.InvalidStateUpdate if an update names no node of the graph
  /// @throws dev.superstep.checkpoint.ThreadBusy if a run is at work on the thread
  public ThreadState update(RunOptions options, StateUpdate... edits) {
    return new Session(compiled, options.settings()).update(List.of(edits));
  }

  @Override
  public String toString() {
    return compiled.toString();
  }
}
