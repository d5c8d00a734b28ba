package dev.superstep.cli.rlm.bench;

import dev.superstep.agent.Agent;
import dev.superstep.agent.AgentResult;
import dev.superstep.model.ChatModel;
import dev.superstep.repl.agent.ReplAgent;
import dev.superstep.repl.grant.Grants;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;

/// A policy by tool calls in JSON and by programs, through the real agents: counts turns and
/// characters, which is all that it can show without a model.
final class ToolTrial {
  private static final int LIMIT = 200;

  /// A line of the table: the means over the shops.
  ///
  /// @param turns of the model
  /// @param sent characters of all prompts, with what describes the tools
  /// @param written characters that the model wrote
  record Row(
      String task, String way, int trials, int right, double turns, double sent, double written) {}

  private ToolTrial() {}

  private enum Loop {
    ONE_CALL("JSON, one call a turn"),
    PARALLEL("JSON, parallel calls"),
    PROGRAM("program");

    private final String title;

    Loop(String title) {
      this.title = title;
    }
  }

  static List<Row> run(int seeds) throws InterruptedException {
    var rows = new ArrayList<Row>();
    for (var task : ToolTask.all()) {
      for (var loop : Loop.values()) rows.add(row(task, loop, seeds));
    }
    return rows;
  }

  private static Row row(ToolTask task, Loop loop, int seeds) throws InterruptedException {
    double turns = 0;
    double sent = 0;
    double written = 0;
    int right = 0;
    for (long seed = 1; seed <= seeds; seed++) {
      var shop = Shop.of(seed);
      var model = new MeteredModel(model(task, loop));
      var result = agent(loop, model, shop).run(task.question());
      if (result instanceof AgentResult.Answered<String>(var answer, _)
          && answer.equals(truth(task, shop))) {
        right++;
      }
      turns += model.calls();
      sent += model.sent();
      written += model.received();
    }
    return new Row(
        task.title(), loop.title, seeds, right, turns / seeds, sent / seeds, written / seeds);
  }

  private static ChatModel model(ToolTask task, Loop loop) {
    return switch (loop) {
      case ONE_CALL -> new ToolLoop(task.policy(), false);
      case PARALLEL -> new ToolLoop(task.policy(), true);
      case PROGRAM -> new ScriptedRoot(List.of(task.program()), List.of());
    };
  }

  private static Agent<String> agent(Loop loop, ChatModel model, Shop shop) {
    return loop == Loop.PROGRAM
        ? ReplAgent.named("bench").model(model).grants(Grants.none().tools(shop.tools())).build()
        : Agent.named("bench")
            .model(model)
            .instructions("Answer the question by calling the tools.")
            .tools(shop.tools())
            .modelCalls(LIMIT)
            .toolCalls(LIMIT)
            .build();
  }

  /// The final words of the policy when it may look up anything.
  private static String truth(ToolTask task, Shop shop) {
    var results = new HashMap<ScriptedPolicy.Call, String>();
    while (true) {
      try {
        return task.policy().answer(new ScriptedPolicy.Known(results));
      } catch (ScriptedPolicy.Needs needs) {
        for (var call : needs.calls()) results.put(call, shop.look(call.tool(), call.id()));
      }
    }
  }
}
