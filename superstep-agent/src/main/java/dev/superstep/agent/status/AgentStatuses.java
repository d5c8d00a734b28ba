package dev.superstep.agent.status;

import dev.superstep.agent.internal.loop.SubAgentCaller;
import dev.superstep.agent.internal.state.AgentSpec;
import dev.superstep.agent.run.AgentEvent;
import dev.superstep.checkpoint.Entry;
import dev.superstep.event.Event;
import dev.superstep.journal.Projection;
import dev.superstep.journal.ThreadJournal;
import dev.superstep.json.Codec;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The statuses of the agents of a thread, or of a run that is not saved. Immutable.
///
/// ```java
/// var agents = ThreadJournal.of(store, "t-42").project(AgentStatuses.projection()).value();
/// ```
///
/// @param all in the order in which they were called; the oldest of those that have ended are
///   forgotten when there are more than [#MOST]
public record AgentStatuses(List<AgentStatus> all) {
  /// The number of agents that are remembered.
  public static final int MOST = 200;

  static final AgentStatuses NONE = new AgentStatuses(List.of());

  public AgentStatuses {
    all = List.copyOf(all);
  }

  /// Makes them of a journal.
  public static Projection<AgentStatuses> projection() {
    return new OfJournal();
  }

  /// The agent with this id.
  public Optional<AgentStatus> find(String run) {
    return all.stream().filter(status -> status.run().equals(run)).findFirst();
  }

  /// Those that an agent called, in the order of the calls.
  public List<AgentStatus> calledBy(String run) {
    return all.stream().filter(status -> status.parent().equals(run)).toList();
  }

  /// The statuses after another event.
  AgentStatuses after(Event event) {
    return switch (event) {
      case Event.NodeEmitted e -> {
        var told = apply(e);
        yield told == null ? this : apply(e, told);
      }
      case Event.NodeStarted e -> at(e, draft -> draft.begins(e.node()));
      case Event.NodeFinished e -> at(e, draft -> draft.leaves(e.task()));
      case Event.NodeFailed e -> at(e, draft -> draft.leaves(e.task()));
      case Event.NodeRetried e -> at(e, draft -> draft.isTriedAgain(e));
      case Event.InterruptRaised e -> at(e, AgentStatusBuilder::asks);
      // With new input, what was at work when its process died is not gone on with.
      case Event.RunStarted e ->
          each(draft -> {
            if (e.resumed()) draft.resume();
            else draft.isStopped(e.origin());
          });
      case Event.RunCompleted _ -> each(draft -> draft.isStopped(event.origin()));
      case Event.RunInterrupted _ -> each(draft -> draft.isInterrupted(event.origin()));
      case Event.RunStopped _ -> each(draft -> draft.isStopped(event.origin()));
      case Event.RunFailed e -> each(draft -> draft.hasFailed(e.origin(), e.code()));
      case Event _ -> this;
    };
  }

  /// Events that a journal keeps without their payload tell nothing; nor do those of programs.
  private static @Nullable AgentEvent apply(Event.NodeEmitted event) {
    try {
      return AgentEvent.of(event).orElse(null);
    } catch (RuntimeException _) {
      return null;
    }
  }

  private AgentStatuses apply(Event.NodeEmitted event, AgentEvent told) {
    return switch (told) {
      case AgentEvent.AgentStarted e -> started(event, e);
      case AgentEvent.SubagentStarted e -> called(event, e);
      case AgentEvent.SubagentCompleted e -> answered(e.call(), event);
      case AgentEvent.SubagentFailed e when e.code().equals(SubAgentCaller.NOT_RUN) ->
          leftOut(e, event);
      case AgentEvent.SubagentFailed e -> answered(e.call(), event);
      case AgentEvent _ -> {
        int place = newest(event.origin().path());
        yield place < 0
            ? with(AgentStatusBuilder.missed(event).apply(event, told))
            : with(place, new AgentStatusBuilder(all.get(place)).apply(event, told));
      }
    };
  }

  /// An agent that begins is perhaps one that was called before.
  private AgentStatuses started(Event.NodeEmitted event, AgentEvent.AgentStarted told) {
    for (int i = 0; i < all.size(); i++) {
      if (all.get(i).run().equals(told.run())) return this;
    }
    for (int i = 0; i < all.size(); i++) {
      var status = all.get(i);
      if (status.stage() != AgentStatus.Stage.PENDING) continue;
      if (!status.parent().equals(told.parent())) continue;
      if (!status.agent().equals(AgentSpec.toolName(told.agent()))) continue;
      return with(i, new AgentStatusBuilder(status).begins(event, told));
    }
    return with(AgentStatusBuilder.started(event, told));
  }

  private AgentStatuses called(Event.NodeEmitted event, AgentEvent.SubagentStarted told) {
    int place = newest(event.origin().path());
    if (place < 0) return this;
    var caller = all.get(place);
    var next = with(place, new AgentStatusBuilder(caller).calls(event, told));
    return next.with(AgentStatusBuilder.called(event, told, caller));
  }

  /// Told where the agent is that was called, and about a call of the one that called.
  private AgentStatuses answered(String call, Event.NodeEmitted event) {
    for (int i = all.size() - 1; i >= 0; i--) {
      var draft = new AgentStatusBuilder(all.get(i));
      if (draft.isAnswered(call)) return with(i, draft.seen(event.origin()));
    }
    return this;
  }

  /// An agent that was called will not begin.
  private AgentStatuses leftOut(AgentEvent.SubagentFailed told, Event.NodeEmitted event) {
    int place = newest(event.origin().path());
    var next = answered(told.call(), event);
    if (place < 0) return next;
    var caller = all.get(place).run();
    var others = new ArrayList<>(next.all);
    for (int i = 0; i < others.size(); i++) {
      var status = others.get(i);
      boolean isPending = status.stage() == AgentStatus.Stage.PENDING;
      if (!isPending || !status.parent().equals(caller)) continue;
      if (!status.agent().equals(told.subagent())) continue;
      others.remove(i);
      break;
    }
    return new AgentStatuses(others);
  }

  /// A change of an agent.
  @FunctionalInterface
  private interface Change {
    void of(AgentStatusBuilder draft);
  }

  private AgentStatuses at(Event event, Change change) {
    int place = newest(event.origin().path());
    if (place < 0 || all.get(place).hasEnded()) return this;
    var draft = new AgentStatusBuilder(all.get(place));
    change.of(draft);
    return with(place, draft.seen(event.origin()));
  }

  private AgentStatuses each(Change change) {
    var next = new ArrayList<AgentStatus>();
    for (var status : all) {
      var draft = new AgentStatusBuilder(status);
      change.of(draft);
      next.add(draft.status());
    }
    return new AgentStatuses(next);
  }

  /// The newest agent whose graph has this path, or -1.
  private int newest(List<String> path) {
    for (int i = all.size() - 1; i >= 0; i--) {
      var status = all.get(i);
      if (status.stage() == AgentStatus.Stage.PENDING) continue;
      if (status.place().path().equals(path)) return i;
    }
    return -1;
  }

  private AgentStatuses with(int place, AgentStatusBuilder draft) {
    var next = new ArrayList<>(all);
    next.set(place, draft.status());
    return new AgentStatuses(next);
  }

  private AgentStatuses with(AgentStatusBuilder draft) {
    var next = new ArrayList<>(all);
    next.add(draft.status());
    for (int i = 0; next.size() > MOST && i < next.size(); i++) {
      if (next.get(i).hasEnded()) next.remove(i);
    }
    if (next.size() > MOST) next.removeFirst();
    return new AgentStatuses(next);
  }

  private record OfJournal() implements Projection<AgentStatuses> {
    @Override
    public String name() {
      return "agents";
    }

    @Override
    public int version() {
      return 1;
    }

    @Override
    public Codec<AgentStatuses> codec() {
      return Codec.of(AgentStatuses.class);
    }

    @Override
    public AgentStatuses initial() {
      return NONE;
    }

    @Override
    public AgentStatuses fold(AgentStatuses statuses, Entry entry) {
      return statuses.after(ThreadJournal.event(entry));
    }
  }
}
