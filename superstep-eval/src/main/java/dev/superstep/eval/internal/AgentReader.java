package dev.superstep.eval.internal;

import dev.superstep.agent.Agent;
import dev.superstep.agent.AgentReport;
import dev.superstep.agent.AgentResult;
import dev.superstep.agent.run.StopReason;
import dev.superstep.budget.Spend;
import dev.superstep.eval.check.CalledTool;
import dev.superstep.eval.check.Observation;
import dev.superstep.eval.dataset.Ending;
import dev.superstep.json.Json;
import dev.superstep.json.MalformedJson;
import dev.superstep.message.AssistantMessage;
import dev.superstep.message.Message;
import dev.superstep.run.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// Reads the answer of an agent, with its calls as its conversation has them.
public record AgentReader(Agent<?> agent) implements OutcomeReader {
  @Override
  public Observation read(Outcome outcome, RunRecord seen) {
    return switch (agent.result(outcome)) {
      case AgentResult.Answered<?>(var answer, var report) ->
          observation(Ending.ANSWERED, Json.of(answer), report, seen);
      case AgentResult.Partial<?>(var text, var report) ->
          observation(Ending.LIMIT, Json.string(text), report, seen);
      case AgentResult.Waiting<?>(var questions) -> StateReader.waiting(questions, seen);
      case AgentResult.Stopped<?>(var reason) -> StateReader.stopped(reason, seen);
    };
  }

  private static Observation observation(
      Ending ending, Json output, AgentReport report, RunRecord seen) {
    boolean isAnswer = ending == Ending.ANSWERED;
    return new Observation(
        ending,
        output,
        calls(report.conversation(), report.answerTool()),
        List.of(),
        isAnswer ? "" : code(report.reason()),
        isAnswer ? "" : "it stopped: " + report.reason(),
        spent(report, seen),
        seen.took());
  }

  /// The code of a reason to stop, as reports have it.
  public static String code(StopReason reason) {
    return "agent." + reason.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /// The calls of a conversation, without that by which a typed agent answers.
  public static List<CalledTool> calls(List<Message> conversation, Optional<String> answerTool) {
    var calls = new ArrayList<CalledTool>();
    for (var message : conversation) {
      if (!(message instanceof AssistantMessage reply)) continue;
      for (var call : reply.calls()) {
        if (answerTool.filter(call.tool()::equals).isPresent()) continue;
        calls.add(new CalledTool(call.tool(), json(call.arguments())));
      }
    }
    return calls;
  }

  private static Optional<Json> json(String arguments) {
    try {
      return Optional.of(Json.parse(arguments));
    } catch (MalformedJson _) {
      return Optional.empty();
    }
  }

  /// The agent's own report outlives a restart of the process, and knows no prices; what was heard
  /// in this process does.
  private static Spend spent(AgentReport report, RunRecord seen) {
    var heard = seen.spent();
    if (heard.calls() >= report.spent().calls()) return heard;
    var cost =
        report
            .model()
            .map(model -> seen.cost(model.ref().url(), report.usage()))
            .orElse(heard.cost());
    return new Spend(report.spent().calls(), report.usage(), cost.max(report.spent().cost()));
  }
}
