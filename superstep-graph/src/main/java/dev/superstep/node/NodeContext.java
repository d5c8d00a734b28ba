package dev.superstep.node;

import dev.superstep.checkpoint.Activation;
import dev.superstep.error.InvalidUse;
import dev.superstep.event.TextPiece;
import dev.superstep.state.Channel;
import dev.superstep.store.Store;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/// The run as a node sees it. For the thread of the node, until the node returns. A node that does
/// several things at once gives each a context of its own: [dev.superstep.graph.Parallel].
public interface NodeContext {
  /// The node's own name.
  String node();

  /// The superstep, from 1.
  int step();

  /// The last superstep that this run may take.
  int limit();

  /// The number of supersteps that may follow this one: 0 on the last, where the node should wrap
  /// up.
  default int remainingSteps() {
    return Math.max(0, limit() - step());
  }

  /// Returns whether no superstep may follow.
  default boolean isLastStep() {
    return remainingSteps() == 0;
  }

  /// Why the node runs.
  Activation activation();

  /// The id of this task: the same when it runs again after a crash, so it serves as idempotency
  /// key.
  String task();

  /// The ids of the tasks that enclose the graph of this node, the outermost first.
  List<String> enclosingTasks();

  /// The number of the attempt at this task in this run, from 1.
  int attempt();

  /// The id of this run.
  String run();

  /// The name of the thread that the run is on, if it is on one.
  Optional<String> thread();

  /// The metadata that the caller attached to the run.
  Map<String, String> metadata();

  /// Returns the value that the caller of the run gave for this key.
  ///
  /// @throws InvalidUse if it gave nothing
  <T> T get(ContextKey<T> key);

  /// Returns the value that the caller of the run gave for this key, or empty.
  <T> Optional<T> find(ContextKey<T> key);

  /// Returns an object that the whole run shares, its subgraphs included, and that is not state: a
  /// counter, a limit. Made on first use; never stored, so a resumed run makes it again. It must be
  /// safe for many threads. An [AutoCloseable] is closed when the run ends, waits or is stopped.
  ///
  /// @param make makes it; called once in a run, while others that ask for it wait
  <T> T shared(ContextKey<T> key, Supplier<T> make);

  /// Returns whether the run is saved, so that finished work is not done again.
  boolean isPersistent();

  /// The long-term store of the run, for memory beyond its thread. A write is visible at once,
  /// whatever happens to the superstep.
  ///
  /// @throws InvalidUse if the caller of the run gave none
  Store store();

  /// The clock of the run. A time read from it differs when the node runs again, unless the run is
  /// [dev.superstep.graph.RunOptions#recorded].
  InstantSource clock();

  /// Waits, as the run does before it tries a node again: [dev.superstep.graph.RunOptions#sleeper].
  /// Counts as a [#heartbeat].
  ///
  /// @throws InterruptedException if the run is cancelled
  void sleep(Duration time) throws InterruptedException;

  /// Random numbers: one generator for the task, which gives the same ones whenever the task runs.
  RandomGenerator random();

  /// Asks a question and returns its answer. The first time, the task is suspended and the run ends
  /// as interrupted once its siblings are done; when the answer has come, perhaps in another
  /// process, the node runs again from its start and this call returns.
  ///
  /// The suspension is a [Throwable] that `catch (Exception e)` does not catch.
  ///
  /// @throws InvalidUse if the run is not saved, so that nobody could answer
  <P, A> A interrupt(Question<P, A> question, P payload);

  /// The point where the node continues, if it runs because a question that it returned as [Ask]
  /// was answered.
  Optional<String> resumePoint();

  /// The answer because of which the node runs.
  ///
  /// @param question the one that it returned as [Ask]
  /// @throws InvalidUse if it runs because of something else
  <A> A answer(Question<?, A> question);

  /// Returns whether the run was asked to stop, so that anything started now is lost. A node that
  /// works for long without waiting checks this; no further step, subgraph or item starts.
  boolean isCancelled();

  /// Does something outside that must not be done twice, such as to send a mail, and returns its
  /// result. The result is saved before this returns. When the node runs again, because a question
  /// was answered, because it failed or because the process died, the saved result is returned and
  /// the effect is not run.
  ///
  /// An effect that throws is not saved, and runs again with the node. So does an effect during
  /// which the process died: give it an idempotency key, such as [#task()] and the step's key. In a
  /// run that is not saved, the effect is simply run.
  ///
  /// An effect may ask questions and hold further steps, and so be a phase of the node: once it has
  /// returned, none of it runs again, and none of its questions is asked again. An effect that asks
  /// runs again from its start when the answer has come, as a node does.
  ///
  /// @param key names the step within the node, or within the step around it; each one serves once
  ///   in a run of it
  /// @param type a closed type
  /// @param effect never returns null
  /// @throws InvalidUse if the key was used before in this run of the node
  /// @throws Exception what the effect throws
  <T> T step(String key, Class<T> type, Callable<T> effect) throws Exception;

  /// Like [#step(String, Class, Callable)], and retries an effect that throws. Each attempt counts
  /// against the retry budget of the run and is published as `node.retried`; an attempt that failed
  /// may have had its effect all the same.
  ///
  /// @param retry how often and after what; a policy of the node applies to what is left after that
  /// @throws Exception what the effect throws at last
  <T> T step(String key, Class<T> type, Retry retry, Callable<T> effect) throws Exception;

  /// Like [#step(String, Class, Callable)], for an effect whose result is the answer to a request,
  /// such as that of a model. The request is saved beside the answer. A node that would send
  /// another request when it runs again gets the saved answer as well: finished work is not done
  /// twice. A [dev.superstep.graph.Replay] reports the difference.
  ///
  /// @param request what is asked, in short: a digest of it is enough
  /// @throws InvalidUse if the key was used before in this run of the node
  /// @throws Exception what the effect throws
  <T> T call(String key, String request, Class<T> type, Callable<T> effect) throws Exception;

  /// Like [#step(String, Class, Callable)], and says what the effect is, so that it does not happen
  /// again unnoticed after a rewind, an edit or in a fork. A step that says nothing does.
  ///
  /// @param effect made of the same request whenever the node runs on the same state
  /// @throws dev.superstep.error.EffectRefused if a person refuses it
  /// @throws Exception what the effect throws
  <T> T step(String key, Effect effect, Class<T> type, Callable<T> body) throws Exception;

  /// Like [#step(String, Class, Callable)], for an effect without a result.
  default void step(String key, Action effect) throws Exception {
    step(
        key,
        Boolean.class,
        () -> {
          effect.run();
          return true;
        });
  }

  /// Something done outside that has no result.
  @FunctionalInterface
  interface Action {
    /// Does it.
    void run() throws Exception;
  }

  /// The log that the tasks of this superstep share under a name. A task that runs again finds the
  /// entries of all of them. For any thread, also of a subgraph in this node.
  ///
  /// @param type a closed type
  <T> SuperstepLog<T> log(String name, Class<T> type);

  /// Reports that the node is at work, which restarts its idle timeout. For any thread.
  void heartbeat();

  /// Returns whether anybody listens, so that a node can skip building what nobody would receive.
  boolean hasListeners();

  /// Publishes a piece of a model's output at once. Counts as a [#heartbeat]. For any thread;
  /// nothing is published once the node has returned.
  void emitText(TextPiece piece);

  /// Publishes a piece of a future write to a channel at once, so that listeners can show the value
  /// while it grows. It changes no state: the node returns the complete value at its end. Counts as
  /// a [#heartbeat]. For any thread; nothing is published once the node has returned.
  ///
  /// ```java
  /// for (var line : lines) context.emit(REPORT, line);
  /// ```
  ///
  /// @param channel if it is never stored, nothing is published
  /// @param piece as one write to the channel; encoded only if somebody listens
  /// @throws dev.superstep.state.UndeclaredChannel if the graph does not declare the channel
  /// @throws InvalidUse if the node declares what it writes, and not this channel
  <W> void emit(Channel<?, W> channel, W piece);

  /// Publishes an event of the node's own at once. Counts as a [#heartbeat]. For any thread;
  /// nothing is published once the node has returned.
  ///
  /// @param name the node's own name for it
  /// @param payload a value of a closed type
  void emit(String name, Object payload);
}
