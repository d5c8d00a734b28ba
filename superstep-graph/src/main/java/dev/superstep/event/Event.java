package dev.superstep.event;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonTypeName;
import dev.superstep.checkpoint.Activation;
import dev.superstep.checkpoint.Checkpoint;
import dev.superstep.checkpoint.Interrupt;
import dev.superstep.checkpoint.Signal;
import dev.superstep.checkpoint.TaskRecord;
import dev.superstep.json.Codec;
import dev.superstep.json.Json;
import dev.superstep.state.Channel;
import dev.superstep.state.EmptyChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// A fact about a run, published after the state that it is about is safe, or marked as
/// provisional. Immutable.
public sealed interface Event {
  /// Where and when.
  Origin origin();

  /// The kind of the event.
  default Kind kind() {
    return switch (this) {
      case RunStarted _, RunCompleted _, RunInterrupted _, RunStopped _, RunFailed _ ->
          Kind.LIFECYCLE;
      case StepStarted _, StepFinished _ -> Kind.LIFECYCLE;
      case StateUpdated _, ThreadForked _ -> Kind.LIFECYCLE;
      case MatrixObserved _, MatrixRouted _, MatrixFailed _ -> Kind.LIFECYCLE;
      case NodeSkipped _, NodeStarted _, NodeCached _, NodeFinished _ -> Kind.LIFECYCLE;
      case NodeRetried _, NodeFailed _ -> Kind.LIFECYCLE;
      case SubgraphStarted _, SubgraphCompleted _ -> Kind.LIFECYCLE;
      case NodeEmitted _ -> Kind.CUSTOM;
      case TextArrived _ -> Kind.MESSAGES;
      case PieceArrived _ -> Kind.PIECES;
      case InterruptRaised _, InterruptAnswered _ -> Kind.INTERRUPTS;
      case StateValues _ -> Kind.VALUES;
      case NodeUpdated _ -> Kind.UPDATES;
      case TaskStarted _, TaskRestored _, TaskEnded _ -> Kind.TASKS;
      case CheckpointSaved _ -> Kind.CHECKPOINTS;
      case RoutesSelected _ -> Kind.ROUTES;
      case ContextForked _, ContextJoined _ -> Kind.FORKS;
      case EventsDropped _ -> Kind.LIFECYCLE;
    };
  }

  /// Returns whether the event may be about something that is lost later. Some events are void if
  /// their task does not finish: they were published while the node was at work, about nothing that
  /// is saved. Others are about something that is saved but not yet safe: in a run whose durability
  /// is not `SYNC`, or in a subgraph of which nothing is saved by itself, inside a task that is
  /// saved. Once the end of the run or a question was published, everything published before is
  /// safe.
  default boolean isProvisional() {
    return origin().provisional()
        || this instanceof NodeEmitted
        || this instanceof TextArrived
        || this instanceof PieceArrived;
  }

  /// The event as one JSON object whose `type` is the name given with each case here.
  default Json json() {
    return Codec.of(Event.class).encode(this);
  }

  /// An event of one task of a node.
  sealed interface OfNode extends Event {
    /// The node.
    String node();

    /// The task, unique in its thread.
    String task();
  }

  /// `run.started`: a run began, from new input or from the state of its thread.
  ///
  /// @param resumed whether it continues from a checkpoint
  @JsonTypeName("run.started")
  record RunStarted(Origin origin, boolean resumed) implements Event {}

  /// `step.started`: a superstep was planned.
  ///
  /// @param nodes what it runs, in task order; without those that are skipped
  /// @param restored how many of its tasks had finished before and do not run again
  @JsonTypeName("step.started")
  record StepStarted(Origin origin, List<String> nodes, int restored) implements Event {}

  /// `node.skipped`: a gated node was due, but none of its channels had changed since it last ran.
  /// It does not run, and its edges are followed as if it had written nothing.
  ///
  /// @param gate its channels
  @JsonTypeName("node.skipped")
  record NodeSkipped(Origin origin, String node, String task, List<String> gate) implements Event {}

  /// `node.started`: a task began.
  @JsonTypeName("node.started")
  record NodeStarted(Origin origin, String node, String task, Activation activation)
      implements OfNode {}

  /// `node.cached`: a task did not run, since an earlier result replaces it. Published instead of
  /// `node.started`; `node.finished` follows.
  @JsonTypeName("node.cached")
  record NodeCached(Origin origin, String node, String task, Activation activation)
      implements Event {}

  /// `node.finished`: a task ended and what it wrote is saved.
  ///
  /// @param channels the channels that it wrote
  @JsonTypeName("node.finished")
  record NodeFinished(Origin origin, String node, String task, List<String> channels, Duration took)
      implements OfNode {}

  /// `node.retried`: a task threw and is tried again.
  ///
  /// @param point the path of the step that is tried again, or empty if the whole node is
  /// @param attempt the attempt that begins after the delay; 2 is the first such
  /// @param most how many attempts the rule allows that applied to the error
  /// @param rule the place of that rule among those of [dev.superstep.node.Retry], 0 for the first
  @JsonTypeName("node.retried")
  record NodeRetried(
      Origin origin,
      String node,
      String task,
      String point,
      int attempt,
      int most,
      Duration delay,
      String error,
      @JsonInclude(JsonInclude.Include.NON_DEFAULT) int rule)
      implements OfNode {}

  /// `node.failed`: a task threw, and is not tried again in this run.
  ///
  /// @param then what came of it; unless it is [Then#ABORT], `node.finished` follows
  @JsonTypeName("node.failed")
  record NodeFailed(Origin origin, String node, String task, String error, Then then)
      implements OfNode {
    /// The handling of a failure.
    public enum Then {
      /// The run fails or stops.
      ABORT,
      /// The node is passed over.
      SKIP,
      /// The node writes something else.
      FALLBACK,
      /// A handler is sent the failure.
      ROUTE
    }
  }

  /// `node.emitted`: a node published something of its own. Provisional until `node.finished`.
  ///
  /// @param name the node's own name for it
  @JsonTypeName("node.emitted")
  record NodeEmitted(Origin origin, String node, String task, String name, Json payload)
      implements OfNode {}

  /// `text.arrived`: a model said something. Provisional until `node.finished`: if the task is
  /// tried again, or its run is stopped, what was said is void.
  ///
  /// @param attempt how often the node had been tried for the task in this run, from 1
  @JsonTypeName("text.arrived")
  record TextArrived(Origin origin, String node, String task, int attempt, TextPiece piece)
      implements OfNode {}

  /// `subgraph.started`: a task began to run the subgraph of its node. Published once for each run
  /// of it, before any other event from inside: a subgraph that is resumed after a question, a
  /// failure or a crash does not start again.
  ///
  /// @param origin of the subgraph; its path ends with the node
  /// @param task the task around
  @JsonTypeName("subgraph.started")
  record SubgraphStarted(Origin origin, String task) implements Event {}

  /// `subgraph.completed`: nothing is left to do in a subgraph, or it handed off. Published once,
  /// after all other events from inside; what its node writes is not safe before `node.finished`.
  ///
  /// @param origin of the subgraph; its path ends with the node
  /// @param task the task around
  @JsonTypeName("subgraph.completed")
  record SubgraphCompleted(Origin origin, String task) implements Event {}

  /// `context.forked`: a node gave an item that runs beside others a context of its own. Only for
  /// listeners that requested [Detail#FORKS].
  ///
  /// @param fork the item, unique in its thread: what its steps and questions hang on
  @JsonTypeName("context.forked")
  record ContextForked(Origin origin, String node, String task, String fork) implements OfNode {}

  /// `context.joined`: an item with a context of its own has ended. Published once for each
  /// `context.forked`. Only for listeners that requested [Detail#FORKS].
  @JsonTypeName("context.joined")
  record ContextJoined(Origin origin, String node, String task, String fork, How how, Duration took)
      implements OfNode {
    /// The way in which an item ended.
    public enum How {
      /// It has a result.
      SUCCEEDED,
      /// It threw.
      FAILED,
      /// It waits for an answer.
      ASKED,
      /// Its time, or that of all items, was over.
      TIMED_OUT,
      /// It was stopped, since others decided or its node was stopped.
      CANCELLED
    }
  }

  /// `piece.arrived`: a node made a piece of what it is going to write to a channel. Provisional
  /// until `node.finished`: it changes no state, and if the task is tried again, or its run is
  /// stopped, it is void.
  ///
  /// @param attempt how often the node had been tried for the task in this run, from 1
  /// @param channel its name
  /// @param piece as one write to the channel
  @JsonTypeName("piece.arrived")
  record PieceArrived(
      Origin origin, String node, String task, int attempt, String channel, Json piece)
      implements OfNode {
    /// The piece, if it is one for this channel.
    public <W> Optional<W> read(Channel<?, W> of) {
      if (!channel.equals(of.name())) return Optional.empty();
      return Optional.of(of.writes().decode(piece));
    }
  }

  /// `interrupt.raised`: a node asked a question, and the question is saved.
  @JsonTypeName("interrupt.raised")
  record InterruptRaised(Origin origin, Interrupt interrupt) implements OfNode {
    @Override
    public String node() {
      return interrupt.node();
    }

    @Override
    public String task() {
      return interrupt.task();
    }
  }

  /// `interrupt.answered`: an answer was saved.
  @JsonTypeName("interrupt.answered")
  record InterruptAnswered(Origin origin, String interrupt, Json answer) implements Event {}

  /// `matrix.observed`: a node converged, and the matrix has learned from it.
  ///
  /// @param cValue how well the latest results went, from 0 to 1, with this one
  /// @param completion how near the run is to its end, from 0 to 1, with this signal
  /// @param converged whether further work would bring little
  @JsonTypeName("matrix.observed")
  record MatrixObserved(
      Origin origin,
      String node,
      String task,
      Signal signal,
      double cValue,
      double completion,
      boolean converged)
      implements Event {}

  /// `matrix.routed`: the matrix chose in place of a router, and the choice is saved.
  ///
  /// @param node the router's node, or START
  /// @param router the name of the router: its node, with `#2` after that for the node's second
  /// @param chosen the targets
  @JsonTypeName("matrix.routed")
  record MatrixRouted(Origin origin, String node, String router, List<String> chosen)
      implements Event {}

  /// `matrix.failed`: the matrix threw or gave an unusable answer; the run continues without it.
  @JsonTypeName("matrix.failed")
  record MatrixFailed(Origin origin, String node, During during, String error) implements Event {
    /// The call of the matrix that failed.
    public enum During {
      /// To learn from a signal.
      OBSERVE,
      /// To choose in place of a router.
      ROUTE
    }
  }

  /// `step.finished`: the writes of a superstep were folded and the checkpoint is saved.
  ///
  /// @param checkpoint its id; empty for runs that are not saved
  /// @param changed the channels whose value changed
  /// @param next what the next superstep runs
  @JsonTypeName("step.finished")
  record StepFinished(Origin origin, String checkpoint, List<String> changed, List<String> next)
      implements Event {}

  /// `state.updated`: somebody changed the state between two runs, as if these nodes had run.
  ///
  /// @param checkpoint the checkpoint that holds it
  /// @param changed the channels whose value changed
  /// @param next what the next superstep runs
  @JsonTypeName("state.updated")
  record StateUpdated(
      Origin origin, String checkpoint, List<String> nodes, List<String> changed, List<String> next)
      implements Event {}

  /// `thread.forked`: the thread continues from an older checkpoint, of its own or of another
  /// thread.
  ///
  /// @param from the thread that holds the older one
  /// @param older its id
  /// @param checkpoint the new newest checkpoint of the thread
  @JsonTypeName("thread.forked")
  record ThreadForked(Origin origin, String from, String older, String checkpoint)
      implements Event {}

  /// `state.values`: the whole state, after input, at a resumption and after each superstep. Only
  /// for listeners that requested [Detail#VALUES].
  ///
  /// @param checkpoint the checkpoint of this state; empty for runs that are not saved
  /// @param values by channel; without channels that hold nothing or are never stored
  @JsonTypeName("state.values")
  record StateValues(Origin origin, String checkpoint, Map<String, Json> values) implements Event {
    public StateValues {
      values = Collections.unmodifiableMap(new LinkedHashMap<>(values));
    }

    /// The value of a channel, or empty if it had none.
    public <V> Optional<V> find(Channel<V, ?> channel) {
      return Optional.ofNullable(values.get(channel.name())).map(channel.values()::decode);
    }

    /// The value of a channel.
    ///
    /// @throws EmptyChannel if it had no value
    public <V> V read(Channel<V, ?> channel) {
      return find(channel).orElseThrow(() -> new EmptyChannel(channel.name()));
    }
  }

  /// `node.updated`: the writes of a task, before they are folded with those of its siblings. Only
  /// for listeners that requested [Detail#UPDATES].
  ///
  /// @param writes in order; without those to channels that are never stored
  @JsonTypeName("node.updated")
  record NodeUpdated(Origin origin, String node, String task, List<TaskRecord.SavedWrite> writes)
      implements OfNode {
    public NodeUpdated {
      writes = List.copyOf(writes);
    }

    /// Returns the values written to a channel, in order, without those that overwrite it.
    public <W> List<W> read(Channel<?, W> channel) {
      var read = new ArrayList<W>();
      for (var write : writes) {
        if (write instanceof TaskRecord.SavedWrite.Put(var name, var json)
            && name.equals(channel.name())) {
          read.add(channel.writes().decode(json));
        }
      }
      return read;
    }
  }

  /// `task.started`: the input of a task, beside the state. Only for listeners that requested
  /// [Detail#TASKS].
  ///
  /// @param argument what it was sent, if it was
  @JsonTypeName("task.started")
  record TaskStarted(
      Origin origin, String node, String task, Activation activation, Optional<Json> argument)
      implements OfNode {}

  /// `task.restored`: a task had finished in an earlier run and does not run again; its writes are
  /// taken from its record. Published at the start of each superstep that is resumed, for each such
  /// task in task order. Only for listeners that requested [Detail#TASKS].
  ///
  /// @param writes in order; without those to channels that are never stored
  @JsonTypeName("task.restored")
  record TaskRestored(Origin origin, String node, String task, List<TaskRecord.SavedWrite> writes)
      implements OfNode {
    public TaskRestored {
      writes = List.copyOf(writes);
    }
  }

  /// `task.ended`: the end of a task, as it is saved. Only for listeners that requested
  /// [Detail#TASKS].
  ///
  /// @param attempts how often its node was tried in this run
  @JsonTypeName("task.ended")
  record TaskEnded(
      Origin origin, String node, String task, TaskRecord.End end, int attempts, Duration took)
      implements OfNode {}

  /// `checkpoint.saved`: a point from which the thread can be resumed. Only for listeners that
  /// requested [Detail#CHECKPOINTS].
  ///
  /// @param checkpoint its id
  /// @param parent the checkpoint before, if any
  /// @param next what the next superstep runs
  @JsonTypeName("checkpoint.saved")
  record CheckpointSaved(
      Origin origin,
      String checkpoint,
      Optional<String> parent,
      Checkpoint.Source source,
      List<String> next)
      implements Event {}

  /// `routes.selected`: the nodes that ran in a superstep and why, and for each edge that could
  /// have been followed at its end whether it was and why. Only for listeners that requested
  /// [Detail#ROUTES].
  ///
  /// @param nodes those that were activated, in task order, then the deferred ones; none for input
  /// @param edges those of the nodes that ran, then joins of theirs, then all triggers
  @JsonTypeName("routes.selected")
  record RoutesSelected(Origin origin, List<NodeDecision> nodes, List<EdgeDecision> edges)
      implements Event {
    public RoutesSelected {
      nodes = List.copyOf(nodes);
      edges = List.copyOf(edges);
    }
  }

  /// `events.dropped`: a reader was too slow, and some events before this one are lost to it. The
  /// run itself publishes no such event.
  ///
  /// @param origin of the last event that was lost
  /// @param count how many were lost since the event that the reader had before
  @JsonTypeName("events.dropped")
  record EventsDropped(Origin origin, long count) implements Event {}

  /// `run.completed`: nothing is left to do.
  @JsonTypeName("run.completed")
  record RunCompleted(Origin origin) implements Event {}

  /// `run.interrupted`: the run waits for answers.
  ///
  /// @param interrupts the ids of all open questions
  @JsonTypeName("run.interrupted")
  record RunInterrupted(Origin origin, List<String> interrupts) implements Event {}

  /// `run.stopped`: the run was cancelled and can be resumed.
  @JsonTypeName("run.stopped")
  record RunStopped(Origin origin, String reason) implements Event {}

  /// `run.failed`: the run threw. What was saved before is intact.
  @JsonTypeName("run.failed")
  record RunFailed(Origin origin, String code, String message) implements Event {}
}
