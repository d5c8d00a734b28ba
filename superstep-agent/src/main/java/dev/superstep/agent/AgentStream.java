package dev.superstep.agent;

import dev.superstep.error.NodeFailed;
import dev.superstep.event.Event;
import dev.superstep.event.EventFilter;
import dev.superstep.graph.RunStream;
import dev.superstep.json.SuperstepException;
import dev.superstep.run.Outcome;
import java.util.Iterator;
import java.util.function.Function;

/// A run of an agent on a thread of its own, and its events as they happen. [#result] ends like the
/// same call without a stream: with the same result, or the same exception.
///
/// ```java
/// try (var run = agent.stream("Where is my parcel?", options)) {
///   for (var event : run) show(event);
///   return run.result();
/// }
/// ```
///
/// The iterator is for one thread; everything else is safe for many.
///
/// @param <A> the form of the agent's answer
public final class AgentStream<A> implements Iterable<Event>, AutoCloseable {
  private final RunStream run;
  private final Function<Outcome, AgentResult<A>> result;

  AgentStream(RunStream run, Function<Outcome, AgentResult<A>> result) {
    this.run = run;
    this.result = result;
  }

  /// The events in order; ends when the run has ended. Each event is read once.
  @Override
  public Iterator<Event> iterator() {
    return run.iterator();
  }

  /// Restricts this stream, from now on and for events not read yet, to those that the filter
  /// chooses.
  public AgentStream<A> only(EventFilter filter) {
    var _ = run.only(filter);
    return this;
  }

  /// Waits for the end of the run. Unread events are dropped.
  ///
  /// @throws dev.superstep.agent.run.LimitReached if a limit is met and the agent does not return
  ///   partial results
  /// @throws dev.superstep.budget.BudgetExceeded if the next call might go over the budget
  /// @throws dev.superstep.model.ModelException if the model fails, or answers nothing twice
  /// @throws NodeFailed if something else fails. In any case, a stored thread can be resumed
  /// @throws InterruptedException if the calling thread is interrupted; the run continues
  public AgentResult<A> result() throws InterruptedException {
    return result.apply(outcome());
  }

  /// Waits for the end of the run and returns it as that of the agent's graph. Throws what
  /// [#result] throws.
  ///
  /// @throws InterruptedException if the calling thread is interrupted; the run continues
  public Outcome outcome() throws InterruptedException {
    try {
      return run.outcome();
    } catch (NodeFailed e) {
      throw unwrapped(e);
    }
  }

  /// Stops the run: its tasks are interrupted, and it ends as [AgentResult.Stopped]. Finished work
  /// is saved.
  public void cancel() {
    run.cancel();
  }

  /// Stops the run when the current superstep has ended and is saved; it can be resumed.
  public void drain() {
    run.drain();
  }

  /// This stream, which from now on cancels its run when it is closed before the run has ended.
  public AgentStream<A> cancelOnClose() {
    var _ = run.cancelOnClose();
    return this;
  }

  /// The run of the agent's graph.
  public RunStream run() {
    return run;
  }

  /// Stops listening. The run continues, unless [#cancelOnClose] was called.
  @Override
  public void close() {
    run.close();
  }

  /// Unwraps an error of ours (a limit, a model, a budget) from the failure of a node.
  static SuperstepException unwrapped(NodeFailed failed) {
    return failed.getCause() instanceof SuperstepException cause ? cause : failed;
  }

  @Override
  public String toString() {
    return "AgentStream[" + run + "]";
  }
}
