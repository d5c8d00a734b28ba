package dev.superstep.agent;

import dev.superstep.agent.steering.Steer;
import dev.superstep.agent.steering.Steering;
import dev.superstep.agent.steering.SteeringCommand;
import dev.superstep.checkpoint.Checkpoint;
import dev.superstep.checkpoint.Checkpointer;
import dev.superstep.checkpoint.Lineage;
import dev.superstep.checkpoint.StoreFailed;
import dev.superstep.error.RunRefused;
import dev.superstep.graph.RunOptions;
import dev.superstep.message.Message;
import dev.superstep.message.UserMessage;
import dev.superstep.run.Answers;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Function;

/// A queue of messages from people to an agent of an application, also while it is at work:
/// steering that it applies before its next turn, further tasks that it does one after the other
/// when it is done, and information for the next message of either kind.
///
/// ```java
/// var queue = HostQueue.<Mail>of(mail -> Message.user(mail.text()));
/// queue.run(agent, first, options, result -> show(result));  // on one thread
/// queue.add(Lane.STEER, mail);                               // meanwhile, on another
/// ```
///
/// Each lane is first in, first out. Payloads belong to the application; only the function that
/// makes messages of them looks at them, when it is their turn. Messages that the agent has not
/// taken when it ends are not lost: they come next.
///
/// In memory; messages that were taken are part of the agent's thread. Safe for many threads, with
/// one agent at work at a time.
///
/// @param <P> what is queued
public final class HostQueue<P> {
  /// The most that each lane holds.
  public static final int LANE_MAX = 10_000;

  private final Steering steering;
  private final SteeringCommand.Actor actor;
  private final Function<? super P, UserMessage> format;
  private final ReentrantLock lock = new ReentrantLock();
  private final Map<Lane, Deque<P>> lanes = new EnumMap<>(Lane.class);
  // What the agent at work was told, by the ids of commands.
  private final SequencedMap<String, QueuedPayload<P>> delivered = new LinkedHashMap<>();
  // What the run at work began with, of what was queued.
  private final List<QueuedPayload<P>> started = new ArrayList<>();
  private boolean running;

  /// Where something is queued.
  public enum Lane {
    /// For the next turn of the agent at work; if none is, its next task.
    STEER,
    /// A task of its own, when what comes before it is done.
    FOLLOW_UP,
    /// To be known with what comes next, and no reason to do anything.
    COLLECT
  }

  private record QueuedPayload<P>(Lane lane, P payload) {}

  private HostQueue(
      Steering steering, SteeringCommand.Actor actor, Function<? super P, UserMessage> shown) {
    this.steering = steering;
    this.actor = actor;
    this.format = shown;
    for (var lane : Lane.values()) lanes.put(lane, new ArrayDeque<>());
  }

  /// An empty queue of what people say.
  ///
  /// @param shown makes the agent's message of a payload
  public static <P> HostQueue<P> of(Function<? super P, UserMessage> shown) {
    return over(Steering.standard(), new SteeringCommand.Actor.Human("host"), shown);
  }

  /// An empty queue over a steering by which more is said: pauses, limits.
  ///
  /// @param actor who says what is queued, for the policy
  public static <P> HostQueue<P> over(
      Steering steering, SteeringCommand.Actor actor, Function<? super P, UserMessage> shown) {
    return new HostQueue<>(steering, actor, shown);
  }

  /// Adds to the queue.
  ///
  /// @return whether an agent is at work, or about to be, that will hear it; if not, it waits for
  ///   the next [#run]
  /// @throws HostQueueFull if the lane is full
  public boolean add(Lane lane, P payload) {
    lock.lock();
    try {
      if (size(lane) >= LANE_MAX) throw new HostQueueFull(lane, LANE_MAX);
      queue(lane).add(payload);
      if (running && lane == Lane.STEER) steer();
      return running;
    } finally {
      lock.unlock();
    }
  }

  /// The messages that the agent has not taken, in the order in which it would take them.
  public List<P> waiting(Lane lane) {
    lock.lock();
    try {
      var all = new ArrayList<P>();
      delivered.forEach((command, one) -> {
        if (one.lane() == lane && !isDelivered(command)) all.add(one.payload());
      });
      all.addAll(queue(lane));
      return all;
    } finally {
      lock.unlock();
    }
  }

  /// Has an agent do a task, and then all that is queued, each in a run of its own that goes on
  /// with the conversation. Ends when no task is left, when a run waits for people or is stopped,
  /// when a [drain][dev.superstep.graph.Drain] lets no other run begin, and when it throws; what is
  /// queued then waits for the next time.
  ///
  /// @param heard the consumer of each result, on the calling thread
  /// @throws RunRefused if a drain does not even let the first task begin
  /// @throws IllegalStateException if an agent is at work
  /// @throws InterruptedException if the calling thread is interrupted
  public <A> void run(
      Agent<A> agent, P first, RunOptions options, Consumer<? super AgentResult<A>> heard)
      throws InterruptedException {
    work(agent, options, with -> agent.run(begin(first), with), heard);
  }

  /// Goes on with a run that waits or was stopped, and then with all that is queued.
  ///
  /// @param heard the consumer of each result, on the calling thread
  /// @throws IllegalStateException if an agent is at work
  /// @throws InterruptedException if the calling thread is interrupted
  public <A> void resume(
      Agent<A> agent, Answers answers, RunOptions options, Consumer<? super AgentResult<A>> heard)
      throws InterruptedException {
    work(agent, options, with -> agent.resume(answers, with), heard);
  }

  /// The start of the work.
  private interface Start<A> {
    AgentResult<A> run(RunOptions with) throws InterruptedException;
  }

  private <A> void work(
      Agent<A> agent, RunOptions options, Start<A> start, Consumer<? super AgentResult<A>> heard)
      throws InterruptedException {
    enter();
    boolean isDone = false;
    var before = Optional.<String>empty();
    try {
      before = newest(options);
      var with = options.with(Steering.KEY, steering);
      var result = start.run(with);
      while (true) {
        if (hasEnded(result)) forgetStarted();
        heard.accept(result);
        if (!hasEnded(result)) return;
        before = newest(options);
        var next = next();
        isDone = next.isEmpty();
        if (isDone) return;
        // A thread that is kept knows what was said.
        var messages = new ArrayList<Message>();
        if (options.thread().isEmpty()) messages.addAll(result.report().conversation());
        messages.addAll(next);
        try {
          result = agent.run(messages, with);
        } catch (RunRefused _) {
          return;
        }
      }
    } finally {
      if (!isDone) leave(isSaved(options, before));
    }
  }

  /// The newest checkpoint of the agent's thread, if there is one.
  private static Optional<String> newest(RunOptions options) {
    return options
        .checkpointer()
        .flatMap(store -> options.thread().flatMap(thread -> newest(store, thread)));
  }

  private static Optional<String> newest(Checkpointer store, String thread) {
    return store.page(Lineage.of(thread), Optional.empty(), 1).stream()
        .findFirst()
        .map(Checkpoint::id);
  }

  /// Tells if a run that did not come to its end has saved what it began with.
  private static boolean isSaved(RunOptions options, Optional<String> before) {
    try {
      return !newest(options).equals(before);
    } catch (StoreFailed _) {
      // To be heard twice is better than not at all.
      return false;
    }
  }

  private static boolean hasEnded(AgentResult<?> result) {
    return switch (result) {
      case AgentResult.Answered<?> _, AgentResult.Partial<?> _ -> true;
      case AgentResult.Waiting<?> _, AgentResult.Stopped<?> _ -> false;
    };
  }

  private void enter() {
    lock.lock();
    try {
      if (running) throw new IllegalStateException("an agent of this queue is at work already");
      running = true;
      steer();
    } finally {
      lock.unlock();
    }
  }

  /// @param isSaved whether what the run began with is part of the agent's thread
  private void leave(boolean isSaved) {
    lock.lock();
    try {
      requeue();
      if (!isSaved) started.reversed().forEach(one -> queue(one.lane()).addFirst(one.payload()));
      started.clear();
      running = false;
    } finally {
      lock.unlock();
    }
  }

  private List<Message> begin(P task) {
    lock.lock();
    try {
      collect();
      var messages = startedMessages();
      // The task itself is its caller's, who gets the error if it is not done.
      messages.add(format.apply(task));
      return messages;
    } finally {
      lock.unlock();
    }
  }

  /// The next messages for the agent. If there are none, the agent is no longer at work.
  private List<Message> next() {
    lock.lock();
    try {
      requeue();
      var lane = queue(Lane.STEER).isEmpty() ? Lane.FOLLOW_UP : Lane.STEER;
      var task = queue(lane).poll();
      running = task != null;
      if (task == null) return List.of();
      collect();
      started.add(new QueuedPayload<>(lane, task));
      var messages = startedMessages();
      steer();
      return messages;
    } finally {
      lock.unlock();
    }
  }

  /// Takes what is to be known with the next task.
  private void collect() {
    for (P known = queue(Lane.COLLECT).poll(); known != null; known = queue(Lane.COLLECT).poll()) {
      started.add(new QueuedPayload<>(Lane.COLLECT, known));
    }
  }

  private List<Message> startedMessages() {
    var messages = new ArrayList<Message>();
    for (var one : started) messages.add(format.apply(one.payload()));
    return messages;
  }

  /// Sends the waiting messages to the agent at work.
  private void steer() {
    delivered.keySet().removeIf(this::isDelivered);
    if (queue(Lane.STEER).isEmpty()) return;
    deliver(Lane.COLLECT);
    deliver(Lane.STEER);
  }

  private void deliver(Lane lane) {
    for (P payload = queue(lane).poll(); payload != null; payload = queue(lane).poll()) {
      var says = new Steer.Say(format.apply(payload));
      var command = steering.command(new SteeringCommand.Target.Root(), actor, says);
      delivered.put(steering.send(command), new QueuedPayload<>(lane, payload));
    }
  }

  /// Puts back the messages that the agent has not taken, before those that were queued since.
  private void requeue() {
    delivered
        .reversed()
        .forEach((command, one) -> {
          if (isDelivered(command)) return;
          steering.withdraw(command);
          queue(one.lane()).addFirst(one.payload());
        });
    delivered.clear();
  }

  /// The run came to its end, so the agent has taken the messages that it began with.
  private void forgetStarted() {
    lock.lock();
    try {
      started.clear();
    } finally {
      lock.unlock();
    }
  }

  private boolean isDelivered(String command) {
    return steering.status(command).filter(f -> f.state() == Steering.State.APPLIED).isPresent();
  }

  private int size(Lane lane) {
    int size = queue(lane).size();
    for (var one : delivered.entrySet()) {
      if (one.getValue().lane() == lane && !isDelivered(one.getKey())) size++;
    }
    return size;
  }

  private Deque<P> queue(Lane lane) {
    return Objects.requireNonNull(lanes.get(lane));
  }

  @Override
  public String toString() {
    return "HostQueue[" + actor + "]";
  }
}
