package dev.superstep.agent.steering;

import dev.superstep.node.Approval;
import dev.superstep.node.ContextKey;
import dev.superstep.node.Ids;
import dev.superstep.node.Question;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/// Sends commands to agents at work. An agent applies them before its next turn, never in the midst
/// of one.
///
/// ```java
/// var steering = Steering.standard();
/// var run = agent.stream("Plan the trip.", options.with(Steering.KEY, steering));
/// steering.human("ada", new Steer.AddInstruction("By train."));
/// ```
///
/// A command that was not yet applied is lost with the process; one that was applied is part of the
/// agent's state. Safe for many threads.
public final class Steering {
  /// Where a run finds it.
  public static final ContextKey<Steering> KEY = ContextKey.of("steering", Steering.class);

  /// The question of a paused agent: may it continue?
  public static final Question<String, Approval> PAUSED =
      Question.of("paused", String.class, Approval.class);

  /// The question that an agent asks a person on request.
  public static final Question<String, String> CLARIFY =
      Question.of("clarify", String.class, String.class);

  private static final int COMMANDS_MAX = 10_000;
  private static final Comparator<SteeringCommand> ORDER =
      Comparator.comparingInt((SteeringCommand c) -> c.steer() instanceof Steer.Cancel ? 0 : 1)
          .thenComparing(Comparator.comparingInt(SteeringCommand::priority).reversed())
          .thenComparing(SteeringCommand::created)
          .thenComparing(SteeringCommand::correlation);

  private final SteeringPolicy policy;
  private final InstantSource clock;
  private final Ids ids;
  private final List<SteeringCommand> waiting = new ArrayList<>();
  private final Map<String, CommandStatus> statuses = new LinkedHashMap<>();
  private final Map<String, Active> active = new LinkedHashMap<>();

  /// The state of a command.
  public enum State {
    /// It waits for its agent.
    ACCEPTED,
    /// It was refused.
    REJECTED,
    /// Its agent waits, and it waits with it.
    DEFERRED,
    /// It was done.
    APPLIED,
    /// Another command made it pointless.
    SUPERSEDED,
    /// Its agent ended before it applied the command, or could not do so.
    FAILED
  }

  /// The status of a command, and the reason.
  public record CommandStatus(State state, String why) {}

  /// The progress of an agent.
  public record Status(String agent, String run, int modelCalls, int toolCalls, long tokens) {}

  /// An agent at work.
  private record Active(Status status, List<String> enclosing, String thread) {}

  private Steering(SteeringPolicy policy, InstantSource clock, Ids ids) {
    this.policy = policy;
    this.clock = clock;
    this.ids = ids;
  }

  /// Returns a steering with the standard policy.
  public static Steering standard() {
    return of(SteeringPolicy.standard());
  }

  /// Returns a steering with a policy of its own.
  public static Steering of(SteeringPolicy policy) {
    return of(policy, InstantSource.system(), Ids.timeOrdered());
  }

  /// Returns a steering with a policy, a clock and ids of its own.
  public static Steering of(SteeringPolicy policy, InstantSource clock, Ids ids) {
    return new Steering(policy, clock, ids);
  }

  /// Sends a command of a person to the outermost agent.
  ///
  /// @return the id of the command
  public String human(String name, Steer steer) {
    return send(
        command(new SteeringCommand.Target.Root(), new SteeringCommand.Actor.Human(name), steer));
  }

  /// A command of now, to be sent.
  public SteeringCommand command(
      SteeringCommand.Target target, SteeringCommand.Actor actor, Steer steer) {
    return new SteeringCommand(ids.next(), target, actor, steer, 0, clock.instant(), "");
  }

  /// Sends a command; [#status] says whether it arrived.
  ///
  /// @return the id of the command
  public synchronized String send(SteeringCommand command) {
    if (waiting.size() >= COMMANDS_MAX) {
      statuses.put(command.id(), new CommandStatus(State.REJECTED, "too many commands wait"));
      return command.id();
    }
    var refused = refusal(command);
    statuses.put(
        command.id(),
        refused
            .map(why -> new CommandStatus(State.REJECTED, why))
            .orElse(new CommandStatus(State.ACCEPTED, "")));
    if (refused.isEmpty()) waiting.add(command);
    return command.id();
  }

  private Optional<String> refusal(SteeringCommand command) {
    return switch (command.target()) {
      case SteeringCommand.Target.Run(var run) -> {
        var at = active.get(run);
        if (at == null) yield Optional.of("no agent `" + run + "` is at work");
        yield policy.refusal(command, at.enclosing());
      }
      case SteeringCommand.Target.OnThread(var thread) ->
          active.values().stream().anyMatch(at -> at.thread().equals(thread))
              ? policy.refusal(command, List.of())
              : Optional.of("no agent is at work on thread `" + thread + "`");
      // Who is meant is known when it hears it.
      case SteeringCommand.Target.Root _, SteeringCommand.Target.Named _ -> Optional.empty();
    };
  }

  /// The status of a command, if it was sent here.
  public synchronized Optional<CommandStatus> status(String command) {
    return Optional.ofNullable(statuses.get(command));
  }

  /// Withdraws a command that no agent has taken.
  ///
  /// @return whether it was there to be taken back
  public synchronized boolean withdraw(String command) {
    for (var one : waiting) {
      if (!one.id().equals(command)) continue;
      waiting.remove(one);
      setStatus(one, State.SUPERSEDED, "it was withdrawn");
      return true;
    }
    return false;
  }

  /// Returns true if a command waits that an agent obeys although it waits for a person: to stop,
  /// to go on, or the decision of a tool call.
  public synchronized boolean endsWaits() {
    return waiting.stream()
        .map(SteeringCommand::steer)
        .anyMatch(steer ->
            switch (steer) {
              case Steer.Cancel _, Steer.Resume _, Steer.Approve _, Steer.Reject _ -> true;
              default -> false;
            });
  }

  /// The agents at work, the outermost first.
  public synchronized List<Status> status() {
    return active.values().stream().map(Active::status).toList();
  }

  /// Registers an agent at work and opens its inbox. Agents do that before each turn; a graph that
  /// is to be steered like an agent may do so, too.
  ///
  /// @param around the ids of the agents around it, the outermost first
  /// @param thread the thread of its run, or empty
  public synchronized Inbox inbox(Status status, List<String> around, String thread) {
    var listener = new Active(status, List.copyOf(around), thread);
    active.put(status.run(), listener);
    return new Inbox(listener);
  }

  /// The commands for one agent at work. Safe for many threads.
  public final class Inbox {
    private final Active at;

    private Inbox(Active at) {
      this.at = at;
    }

    /// Takes the commands for the agent, in the order in which they are to be applied. Decisions of
    /// tool calls stay.
    public List<SteeringCommand> poll() {
      synchronized (Steering.this) {
        return taken(at, command -> call(command).isEmpty());
      }
    }

    /// Takes the decisions of these tool calls, if there is one for each of them.
    ///
    /// @param calls the ids of the calls
    public List<SteeringCommand> pollDecisions(Set<String> calls) {
      synchronized (Steering.this) {
        var decided = new HashSet<String>();
        for (var command : waiting) decided.add(call(command));
        return decided.containsAll(calls)
            ? taken(at, command -> calls.contains(call(command)))
            : List.of();
      }
    }

    /// Returns true if a command that waits cancels the agent, or one around it. It stays.
    public boolean isCancelled() {
      synchronized (Steering.this) {
        return waiting.stream().anyMatch(command -> cancels(command, at));
      }
    }

    /// Takes the commands that let the agent go on.
    public List<SteeringCommand> pollResume() {
      synchronized (Steering.this) {
        return taken(at, command -> command.steer() instanceof Steer.Resume);
      }
    }

    /// Puts commands back, since the agent waits before it can apply them.
    public void defer(List<SteeringCommand> commands) {
      synchronized (Steering.this) {
        for (var command : commands) {
          waiting.add(command);
          setStatus(command, State.DEFERRED, "the agent waits");
        }
      }
    }

    /// Records the status of a command that was taken.
    public void settle(SteeringCommand command, State state, String why) {
      synchronized (Steering.this) {
        setStatus(command, state, why);
      }
    }

    /// Removes the agent, which has ended. Commands for it alone fail.
    public void end() {
      synchronized (Steering.this) {
        active.remove(at.status().run());
        for (var command : List.copyOf(waiting)) {
          boolean isNamed = command.target() instanceof SteeringCommand.Target.Named;
          if (isNamed && !at.enclosing().isEmpty()) continue;
          if (!isNamed && !isFor(command.target(), at)) continue;
          waiting.remove(command);
          setStatus(command, State.FAILED, "the agent has ended");
        }
      }
    }
  }

  private List<SteeringCommand> taken(Active at, Predicate<SteeringCommand> which) {
    var taken = new ArrayList<SteeringCommand>();
    for (var command : List.copyOf(waiting)) {
      if (!which.test(command)) continue;
      if (!isFor(command.target(), at)) continue;
      waiting.remove(command);
      var refused = policy.refusal(command, at.enclosing());
      if (refused.isPresent()) setStatus(command, State.REJECTED, refused.get());
      else taken.add(command);
    }
    taken.sort(ORDER);
    return taken;
  }

  /// The id of the tool call that a command decides, or empty if it decides none.
  private static String call(SteeringCommand command) {
    return switch (command.steer()) {
      case Steer.Approve(var call) -> call;
      case Steer.Reject(var call, _) -> call;
      default -> "";
    };
  }

  private static boolean isFor(SteeringCommand.Target target, Active at) {
    return switch (target) {
      case SteeringCommand.Target.Root _ -> at.enclosing().isEmpty();
      case SteeringCommand.Target.Run(var run) -> run.equals(at.status().run());
      case SteeringCommand.Target.Named(var agent) -> agent.equals(at.status().agent());
      case SteeringCommand.Target.OnThread(var of) ->
          at.enclosing().isEmpty() && of.equals(at.thread());
    };
  }

  private boolean cancels(SteeringCommand command, Active at) {
    if (!(command.steer() instanceof Steer.Cancel)) return false;
    if (isFor(command.target(), at)) return policy.refusal(command, at.enclosing()).isEmpty();
    for (var run : at.enclosing()) {
      var outer = active.get(run);
      if (outer == null || !isFor(command.target(), outer)) continue;
      return policy.refusal(command, outer.enclosing()).isEmpty();
    }
    return false;
  }

  private void setStatus(SteeringCommand command, State state, String why) {
    statuses.put(command.id(), new CommandStatus(state, why));
  }

  @Override
  public String toString() {
    return "Steering[" + policy + "]";
  }
}
