package dev.superstep.testkit.agent;

import dev.superstep.agent.AgentReport;
import dev.superstep.agent.run.AgentEvent;
import dev.superstep.agent.run.StopReason;
import dev.superstep.event.Event;
import dev.superstep.message.AssistantMessage;
import dev.superstep.message.Message;
import dev.superstep.message.UserMessage;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/// The actions of an agent, without any text: the calls of its model, in order. The call by which a
/// typed agent gives its answer is no action. Immutable.
///
/// @param calls those that were refused or failed included
/// @param turns how often the model was asked
/// @param ended why it is over, if that is known
public record Trajectory(List<Call> calls, int turns, Optional<StopReason> ended) {
  /// A call.
  ///
  /// @param arguments as the model wrote them; events do not contain them
  public record Call(String tool, Optional<String> arguments) {
    @Override
    public String toString() {
      return tool + arguments.map(Prompts::cut).orElse("");
    }
  }

  public Trajectory {
    calls = List.copyOf(calls);
  }

  /// That of a run. The calls are those of the whole conversation; on a thread on which several
  /// questions were asked, [#ofLast] has those since the last one.
  public static Trajectory of(AgentReport report) {
    var said = of(report.conversation());
    var done = report.answerTool().map(said::without).orElse(said);
    return new Trajectory(done.calls(), report.modelCalls(), Optional.of(report.reason()));
  }

  /// That of a conversation. Turns in which the model said nothing are not in it. A conversation
  /// does not tell which tool gives the answer of a typed agent: take that out by [#without].
  public static Trajectory of(List<? extends Message> conversation) {
    var calls = new ArrayList<Call>();
    int turns = 0;
    for (var message : conversation) {
      if (!(message instanceof AssistantMessage reply)) continue;
      turns++;
      for (var call : reply.calls())
        calls.add(new Call(call.tool(), Optional.of(call.arguments())));
    }
    return new Trajectory(calls, turns, Optional.empty());
  }

  /// Returns a copy without the calls of a tool, such as the answer tool of a typed agent.
  public Trajectory without(String tool) {
    var others = calls.stream().filter(call -> !call.tool().equals(tool)).toList();
    return new Trajectory(others, turns, ended);
  }

  /// That of a conversation since a person spoke last.
  public static Trajectory ofLast(List<? extends Message> conversation) {
    int from = conversation.size();
    while (from > 0 && !(conversation.get(from - 1) instanceof UserMessage)) from--;
    return of(conversation.subList(from, conversation.size()));
  }

  /// Returns the trajectory of an agent from the events of a run, which may have several agents.
  /// Calls are in the order in which they ran, without their arguments; calls that never ran are
  /// missing.
  public static Trajectory of(List<? extends Event> events, String agent) {
    var calls = new ArrayList<Call>();
    int turns = 0;
    Optional<StopReason> ended = Optional.empty();
    for (var event : events) {
      switch (AgentEvent.of(event).orElse(null)) {
        case AgentEvent.ToolStarted(var by, _, var tool) when by.equals(agent) ->
            calls.add(new Call(tool, Optional.empty()));
        case AgentEvent.SubagentStarted(var by, _, var tool) when by.equals(agent) ->
            calls.add(new Call(tool, Optional.empty()));
        case AgentEvent.ModelStarted started when started.agent().equals(agent) -> turns++;
        case AgentEvent.AgentCompleted done when done.agent().equals(agent) ->
            ended = Optional.of(done.reason());
        case null, default -> {}
      }
    }
    return new Trajectory(calls, turns, ended);
  }

  /// Returns a line for each call, and one for the end.
  String format() {
    var lines = calls.stream().map(call -> "  " + call).collect(Collectors.joining("\n"));
    var end = ended.map(reason -> ", ended by " + reason).orElse("");
    return (lines.isEmpty() ? "  no calls" : lines) + "\n  in " + turns + " turns" + end;
  }
}
